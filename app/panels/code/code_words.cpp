#include "app/panels/code/code_words.h"

#include <algorithm>
#include <array>

namespace threadscape::app {

namespace {

using std::string_view;

constexpr auto keywords = std::to_array<string_view>(
    {"alignas",  "asm",     "auto",    "break",    "case",      "catch",  "class",    "const",    "constexpr",
     "continue", "default", "delete",  "do",       "else",      "enum",   "extern",   "false",    "for",
     "goto",     "if",      "inline",  "mutable",  "namespace", "new",    "nullptr",  "operator", "private",
     "public",   "return",  "sizeof",  "static",   "struct",    "switch", "template", "this",     "throw",
     "true",     "try",     "typedef", "typename", "union",     "using",  "volatile", "while"});
constexpr auto types =
    std::to_array<string_view>({"Image", "List", "Rgba", "Sequence", "Volume", "bool", "char", "double", "float",
                                "half", "int", "long", "short", "signed", "unsigned", "void"});
constexpr auto cuda_words = std::to_array<string_view>({"blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"});

template <std::size_t n>
bool is_one_of(const std::array<string_view, n>& words, string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

CodeWord kind_of(string_view word) {
  if (is_one_of(keywords, word)) return CodeWord::keyword;
  if (is_one_of(types, word) || word.ends_with("_t")) return CodeWord::type;
  // Words like __global__, __shared__ and __syncthreads.
  if (is_one_of(cuda_words, word) || word.starts_with("__") || word.starts_with("atomic")) return CodeWord::cuda;
  return CodeWord::plain;
}

/// Where the literal between quotation marks ends that begins at `at`.
std::size_t end_of_literal(string_view line, std::size_t at) {
  const char mark = line[at];
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
      continue;
    }
    if (line[i] == mark) return i + 1;
  }
  return line.size();
}

}  // namespace

std::vector<CodeSpan> code_spans(string_view line, bool& in_comment) {
  std::vector<CodeSpan> spans;
  const auto add = [&](std::size_t begin, std::size_t end, CodeWord word) {
    if (!spans.empty() && spans.back().word == word && spans.back().end == begin)
      spans.back().end = end;
    else if (begin < end)
      spans.push_back({begin, end, word});
    return end;
  };
  std::size_t at = 0;
  const std::size_t first = line.find_first_not_of(" \t");
  const bool directive = !in_comment && first != string_view::npos && line[first] == '#';
  while (at < line.size()) {
    const string_view rest = line.substr(at);
    if (in_comment) {
      const std::size_t end = rest.find("*/");
      in_comment = end == string_view::npos;
      at = add(at, in_comment ? line.size() : at + end + 2, CodeWord::comment);
    } else if (rest.starts_with("//")) {
      at = add(at, line.size(), CodeWord::comment);
    } else if (rest.starts_with("/*")) {
      in_comment = true;
      at = add(at, at + 2, CodeWord::comment);
    } else if (directive) {
      at = add(at, at + std::min({rest.find("//"), rest.find("/*"), rest.size()}), CodeWord::directive);
    } else if (rest.front() == '"' || rest.front() == '\'') {
      at = add(at, end_of_literal(line, at), CodeWord::text);
    } else if (is_digit(rest.front()) || (rest.front() == '.' && rest.size() > 1 && is_digit(rest[1]))) {
      std::size_t end = at + 1;
      while (end < line.size() &&
             (is_letter(line[end]) || is_digit(line[end]) || line[end] == '.' || line[end] == '\''))
        ++end;
      at = add(at, end, CodeWord::number);
    } else if (is_letter(rest.front())) {
      std::size_t end = at + 1;
      while (end < line.size() && (is_letter(line[end]) || is_digit(line[end])))
        ++end;
      at = add(at, end, kind_of(line.substr(at, end - at)));
    } else {
      at = add(at, at + 1, CodeWord::plain);
    }
  }
  return spans;
}

}  // namespace threadscape::app
