#include "app/shell/file_places.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

fs::path folder_of_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path{} : fs::path(value);
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

fs::path user_folder(std::string_view text, std::string_view key, const fs::path& home) {
  constexpr std::string_view at_home = "$HOME";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    if (!line.starts_with("=\"")) continue;
    line.remove_prefix(2);
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos) continue;
    line = line.substr(0, quote);
    fs::path folder(line);
    if (line.starts_with(at_home)) {
      line.remove_prefix(at_home.size());
      while (line.starts_with('/'))
        line.remove_prefix(1);
      folder = line.empty() ? home : home / line;
    }
    return folder == home || !folder.is_absolute() ? fs::path{} : folder;
  }
  return {};
}

std::vector<FilePlace> file_places(std::span<const fs::path> recent) {
  constexpr auto named = std::to_array<std::pair<const char*, std::string_view>>(
      {{"Documents", "XDG_DOCUMENTS_DIR"}, {"Downloads", "XDG_DOWNLOAD_DIR"}, {"Pictures", "XDG_PICTURES_DIR"}});
  std::vector<FilePlace> places;
  const auto add = [&places](std::string title, const fs::path& folder) {
    std::error_code missing;
    if (title.empty() || folder.empty() || !fs::is_directory(folder, missing)) return;
    const fs::path whole = fs::weakly_canonical(folder, missing);
    if (std::ranges::find(places, whole, &FilePlace::folder) == places.end())
      places.push_back({std::move(title), whole});
  };
  const fs::path home = folder_of_variable("HOME");
  if (!home.empty()) {
    add("Home", home);
    const fs::path config = folder_of_variable("XDG_CONFIG_HOME");
    const std::string folders = content_of((config.empty() ? home / ".config" : config) / "user-dirs.dirs");
    for (const auto& [title, key] : named) {
      const fs::path folder = user_folder(folders, key, home);
      add(title, folder.empty() ? home / title : folder);
    }
  }
  std::error_code failed;
  add("Working folder", fs::current_path(failed));
  constexpr std::size_t most_recent = 4;
  const std::size_t fixed = places.size();
  for (const fs::path& file : recent) {
    if (places.size() == fixed + most_recent) break;
    const fs::path folder = file.parent_path();
    add(folder.filename().string(), folder);
  }
  return places;
}

}  // namespace threadscape::app
