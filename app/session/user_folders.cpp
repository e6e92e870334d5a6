#include "app/session/user_folders.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace threadscape::app {

namespace {

/// A folder below that for temporary files, which others share: its name cannot be guessed, nobody else may enter it,
/// and it goes with the process.
struct PrivateFolder {
  std::filesystem::path path = "/dev/null/threadscape";  ///< Nothing can be written there.

  PrivateFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "threadscape-XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr) path = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
};

}  // namespace

std::filesystem::path settings_folder() {
  if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder != '\0')
    return std::filesystem::path(folder) / "threadscape";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".config" / "threadscape";
  return {};
}

std::filesystem::path cache_folder() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != '\0')
    return std::filesystem::path(folder) / "threadscape";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".cache" / "threadscape";
  static const PrivateFolder own;
  return own.path;
}

}  // namespace threadscape::app
