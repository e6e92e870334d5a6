#pragma once
// The entries of a fenced block of a lesson: lines "key: value".

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

/// An entry. Indented lines below it belong to the value, without two of their blanks.
struct BlockEntry {
  std::string key, value;
  int line = 0;
};

/// The entries of a block, which are taken by their keys. All errors are UsageError with file and line.
class BlockEntries {
 public:
  BlockEntries(std::string file, std::string block, int line)
      : file_(std::move(file)), block_(std::move(block)), line_(line) {}

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const BlockEntry& entry, const std::string& what) const;
  [[nodiscard]] int line() const { return line_; }

  /// Adds a line of the block.
  void add(std::string_view text, int line);
  /// Throws for a key that the block has not, and for one that stands twice but is not one of `many`.
  void require(std::span<const std::string_view> keys, std::span<const std::string_view> many);

  [[nodiscard]] const BlockEntry* find(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string required(std::string_view key) const;
  [[nodiscard]] int number(std::string_view key, int otherwise, int lo, int hi) const;
  /// Returns true for yes, and false for no and for what is not there.
  [[nodiscard]] bool flag(std::string_view key) const;
  /// Calls f with each entry of a key, and puts file and line in front of the errors of f.
  void for_each(std::string_view key, const std::function<void(const BlockEntry&)>& f) const;

 private:
  std::string file_, block_;
  int line_;
  std::vector<BlockEntry> entries_;
};

/// Throws UsageError with file and line.
[[noreturn]] void fail_at(const std::string& file, int line, const std::string& what);
/// The text without blanks around it.
[[nodiscard]] std::string_view without_blanks(std::string_view text);

}  // namespace threadscape::app
