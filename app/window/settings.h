#pragma once

#include <filesystem>
#include <string>

#include "app/platform/platform.h"
#include "app/session/workspace.h"
#include "app/window/window.h"

namespace threadscape::app {

/// What the window remembers between sessions: $XDG_CONFIG_HOME/threadscape/settings.json, else ~/.config/...
/// A missing or damaged file means the defaults; a field that no longer fits is left out, not fatal.
struct Settings {
  WindowState window;
  WindowLook look;
  std::string algorithm;
  std::string backend;
  int threads = 0;  ///< 0 = all
  std::string picture;
  std::string folder;                             ///< where the file picker starts
  std::map<std::string, std::string> parameters;  ///< JSON by algorithm
  std::map<std::string, std::string> views;       ///< JSON by scene
};

/// Empty when there is no home folder.
[[nodiscard]] std::filesystem::path settings_folder();
/// For files that can be made again: $XDG_CACHE_HOME/threadscape, else ~/.cache/threadscape, else a temporary folder.
[[nodiscard]] std::filesystem::path cache_folder();
[[nodiscard]] Settings load_settings(LogBook& log);
/// Failures are logged: settings are never worth an error at the end of a session.
void save_settings(const Settings& settings, LogBook& log);

}  // namespace threadscape::app
