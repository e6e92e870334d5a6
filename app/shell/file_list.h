#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace threadscape::app {

/// Several files that were given together, one of which is shown: the others are a key away. Only the shown one is in
/// memory.
class FileList {
 public:
  /// Replaces the list; the first file is the one to show. A path that is given twice is kept once.
  void set(std::vector<std::filesystem::path> paths);
  void clear() { paths_.clear(); }
  [[nodiscard]] bool empty() const { return paths_.empty(); }
  [[nodiscard]] std::size_t size() const { return paths_.size(); }
  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return paths_; }
  /// Index of the file that is shown, or that was shown last if another file was opened since.
  [[nodiscard]] std::size_t current() const { return current_; }
  /// Notes that this file is opened, which may not be in the list.
  void opened(const std::filesystem::path& path);
  /// The file `by` places further on, around the ends; none if there is no list.
  [[nodiscard]] std::optional<std::filesystem::path> step(int by) const;

  /// Draws the list with a heading, at most `height` units high. Returns the file that was clicked.
  [[nodiscard]] std::optional<std::filesystem::path> draw(float height);

 private:
  std::vector<std::filesystem::path> paths_;
  std::size_t current_ = 0;
  bool moved_ = false;  ///< If true, the current file may be out of sight.
};

}  // namespace threadscape::app
