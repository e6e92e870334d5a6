#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace threadscape::app {

/// The files that were opened last, the latest first, for the menu and the settings.
class RecentFiles {
 public:
  static constexpr std::size_t max_count = 10;

  /// Puts a file to the front. The path becomes absolute, so that it holds in another folder, too.
  void add(const std::filesystem::path& path);
  void clear() { paths_.clear(); }
  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return paths_; }
  /// The paths as texts for the settings.
  [[nodiscard]] std::vector<std::string> texts() const;
  /// Replaces the list by that of the settings. Repeated and empty paths, and those beyond max_count, are left out.
  void restore(const std::vector<std::string>& texts);

  /// Draws the items of a menu, which is open. Files that are gone are greyed. Returns the file that was chosen.
  [[nodiscard]] std::optional<std::filesystem::path> draw_menu();

 private:
  std::vector<std::filesystem::path> paths_;
  std::vector<bool> exist_;  ///< If true, each file existed when the menu was opened.
};

}  // namespace threadscape::app
