#pragma once

#include <filesystem>

namespace threadscape::app {

/// The folder of the settings file: $XDG_CONFIG_HOME/threadscape, else ~/.config/threadscape; empty if there is no home
/// folder.
[[nodiscard]] std::filesystem::path settings_folder();
/// The folder for files that the program can create again: $XDG_CACHE_HOME/threadscape, else ~/.cache/threadscape, else
/// a temporary folder of this process that nobody else may enter.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace threadscape::app
