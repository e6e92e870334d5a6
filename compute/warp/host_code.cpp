#include "compute/warp/host_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace threadscape::warp {

namespace {

/// A character of code, which is outside of comments, literals and preprocessor lines, with its offset.
struct CodeChar {
  std::size_t offset = 0;
  char c = ' ';
};

/// The end of a literal in quotation marks that begins at `at`.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '"' && at > 0 && text[at - 1] == 'R') {
    const std::size_t open = text.find('(', at);
    if (open == std::string_view::npos) return text.size();
    const std::string end = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
    const std::size_t close = text.find(end, open);
    return close == std::string_view::npos ? text.size() : close + end.size();
  }
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return at + 1;  // A single quotation mark, as in the number 1'000.
}

/// The end of a preprocessor line that begins at `at`, with its continuations.
std::size_t end_of_directive(std::string_view text, std::size_t at) {
  while (true) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end == text.size() || end == 0 || text[end - 1] != '\\') return end;
    at = end + 1;
  }
}

/// The characters of code but white space; a preprocessor line counts as one '#'.
std::vector<CodeChar> code_of(std::string_view text) {
  std::vector<CodeChar> code;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n' || std::isspace(static_cast<unsigned char>(c)) != 0) {
      line_begins = line_begins || c == '\n';
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (c == '#' && line_begins) {
      code.push_back({i, '#'});
      i = end_of_directive(text, i);
    } else if (c == '"' ||
               (c == '\'' && (code.empty() || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))) {
      code.push_back({i, '"'});
      i = end_of_literal(text, i);
      line_begins = false;
    } else {
      code.push_back({i, c});
      line_begins = false;
      ++i;
    }
  }
  return code;
}

/// True for each character of code that is in the body of a function, or in a list of values.
std::vector<bool> bodies_of(const std::vector<CodeChar>& code, std::string_view text) {
  std::vector<bool> in_body(code.size());
  std::vector<bool> open;  // For each open brace: does it begin a body?
  std::size_t head = 0;    // Where the text before the next brace begins.
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i].c;
    in_body[i] = !open.empty() && open.back();
    if (c == '{') {
      const std::string_view before = text.substr(code[head].offset, code[i].offset - code[head].offset);
      const bool scope = before.find('(') == std::string_view::npos && before.find('=') == std::string_view::npos;
      open.push_back(!scope || (!open.empty() && open.back()));
    }
    if (c == '}' && !open.empty()) open.pop_back();
    if (c == ';' || c == '{' || c == '}' || c == '#') head = i + 1;
    if (head >= code.size()) break;
  }
  return in_body;
}

/// The offsets of the first character of a definition or declaration and of that behind it. `name` is an index in
/// `code`.
std::optional<std::pair<std::size_t, std::size_t>> definition_around(const std::vector<CodeChar>& code,
                                                                     std::size_t name) {
  std::size_t begin = name;
  for (; begin > 0; --begin) {
    const char c = code[begin - 1].c;
    if (c == ';' || c == '{' || c == '}' || c == '#') break;
    // A colon ends "public:", but not the name of a scope.
    if (c == ':' && begin >= 2 && code[begin - 2].c != ':' && code[begin].c != ':') break;
  }
  int round = 0, braces = 0;
  for (std::size_t at = begin; at < code.size(); ++at) {
    const char c = code[at].c;
    if (c == '(') ++round;
    if (c == ')') --round;
    if (round == 0 && braces == 0 && (c == '}' || c == '#')) return {};
    if (round == 0 && braces == 0 && c == ';') return std::pair{code[begin].offset, code[at].offset + 1};
    if (round == 0 && c == '{') ++braces;
    if (round == 0 && c == '}' && --braces == 0) return std::pair{code[begin].offset, code[at].offset + 1};
  }
  return {};
}

}  // namespace

std::string without_functions(std::string_view source, std::span<const SourcePlace> places) {
  std::string text(source);
  const std::vector<CodeChar> code = code_of(source);
  std::vector<std::size_t> lines{0};
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] == '\n') lines.push_back(i + 1);
  const std::vector<bool> in_body = bodies_of(code, source);
  for (const SourcePlace& place : places) {
    if (place.line < 1 || place.line > static_cast<int>(lines.size()) || place.column < 1) continue;
    const std::size_t offset =
        lines[static_cast<std::size_t>(place.line - 1)] + static_cast<std::size_t>(place.column - 1);
    const auto name = std::ranges::lower_bound(code, offset, {}, &CodeChar::offset);
    const auto index = static_cast<std::size_t>(name - code.begin());
    if (name == code.end() || in_body[index]) continue;
    const auto range = definition_around(code, index);
    if (!range) continue;
    const std::string_view head = source.substr(range->first, source.find_first_of("{;", range->first) - range->first);
    if (std::ranges::any_of(std::array{"constexpr", "__global__", "__device__"},
                            [&](const char* word) { return head.find(word) != std::string_view::npos; }))
      continue;
    for (std::size_t i = range->first; i < range->second; ++i)
      if (text[i] != '\n') text[i] = ' ';
  }
  return text;
}

}  // namespace threadscape::warp
