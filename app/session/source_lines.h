#pragma once
// The lines of source files, by the names that compilers give the files.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace threadscape::app {

/// Reads a file when its lines are asked for the first time. Not for several threads.
class SourceLines {
 public:
  /// `root` is the folder of this program's sources, below which files of compute/ are looked for that are not where
  /// they were when they were compiled.
  explicit SourceLines(std::filesystem::path root = {}) : root_(std::move(root)) {}
  /// Gives the lines of a file that is known already.
  void add(const std::string& file, const std::string& text);
  /// All lines of a file; none where it cannot be read.
  [[nodiscard]] const std::vector<std::string>& of(const std::string& file);
  /// A line, counted from 1, without the blanks at its beginning; "" where it is unknown.
  [[nodiscard]] std::string line(const std::string& file, int number);

 private:
  std::filesystem::path root_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace threadscape::app
