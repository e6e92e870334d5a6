#pragma once

#include <filesystem>
#include <string>

namespace threadscape::io {

/// Reads a small text file (a preset, a mask) as a whole. Throws EnvironmentError with the path and the cause (missing,
/// directory, unreadable, over 16 MiB).
[[nodiscard]] std::string load_text(const std::filesystem::path& path);

}  // namespace threadscape::io
