#pragma once

#include <filesystem>
#include <string>

namespace threadscape::io {

/// A small text file as a whole: presets, masks. Throws EnvironmentError with the path and the cause (missing,
/// directory, unreadable, over 16 MiB).
[[nodiscard]] std::string load_text(const std::filesystem::path& path);

}  // namespace threadscape::io
