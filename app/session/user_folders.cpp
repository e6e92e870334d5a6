#include "app/session/user_folders.h"

#include <cstdlib>

namespace threadscape::app {

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
  return std::filesystem::temp_directory_path() / "threadscape";
}

}  // namespace threadscape::app
