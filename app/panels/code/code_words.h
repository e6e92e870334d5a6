#pragma once
// The words of a source in CUDA C++, for their colours.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace threadscape::app {

enum class CodeWord : std::uint8_t { plain, keyword, type, cuda, number, text, comment, directive };

/// A part of a line: characters [begin, end).
struct CodeSpan {
  std::size_t begin = 0, end = 0;
  CodeWord word = CodeWord::plain;
  bool operator==(const CodeSpan&) const = default;
};

/// The parts of a line, which together have all its characters. `in_comment` is whether the line begins in a comment
/// of the form /* */, and afterwards whether the next one does.
[[nodiscard]] std::vector<CodeSpan> code_spans(std::string_view line, bool& in_comment);

}  // namespace threadscape::app
