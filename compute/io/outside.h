#pragma once
// Which files a file may name: those in its own folder and below it.

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace threadscape::io {

/// The folder that a file is in; "." for a name without a folder.
[[nodiscard]] inline std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// Returns true if the file exists in the folder or below it. Symbolic links are resolved, so that neither ".." nor a
/// link leads out of the folder.
[[nodiscard]] inline bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code no_folder, no_file;
  const std::filesystem::path inside = std::filesystem::canonical(folder, no_folder);
  const std::filesystem::path target = std::filesystem::canonical(file, no_file);
  if (no_folder || no_file) return false;
  return std::mismatch(inside.begin(), inside.end(), target.begin(), target.end()).first == inside.end();
}

}  // namespace threadscape::io
