#include "compute/sketch/head_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "compute/core/errors.h"
#include "compute/sketch/expression.h"

namespace threadscape::sketch {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trimmed(line);
}

std::size_t next_entry(std::string_view line) {
  for (std::size_t at = line.find("  "); at != std::string_view::npos; at = line.find("  ", at)) {
    at = line.find_first_not_of(' ', at);
    if (at == std::string_view::npos) break;
    if (std::ranges::count(line.substr(0, at), '"') % 2 != 0) continue;
    std::size_t end = at;
    while (end < line.size() && line[end] >= 'a' && line[end] <= 'z')
      ++end;
    if (end > at && end < line.size() && line[end] == ':') return at;
  }
  return std::string_view::npos;
}

std::string take_help(std::string_view& value) {
  if (!value.ends_with('"')) return "";
  const std::size_t open = value.find('"');
  if (open == value.size() - 1) throw UsageError("a quotation mark is missing");
  std::string help(value.substr(open + 1, value.size() - open - 2));
  value = trimmed(value.substr(0, open));
  return help;
}

std::optional<std::string_view> take_parentheses(std::string_view& value) {
  if (!value.ends_with(')')) return {};
  int depth = 0;
  for (std::size_t i = value.size(); i-- > 0;) {
    if (value[i] == ')') ++depth;
    if (value[i] != '(' || --depth > 0) continue;
    const std::string_view inside = trimmed(value.substr(i + 1, value.size() - i - 2));
    value = trimmed(value.substr(0, i));
    return inside;
  }
  throw UsageError("'(' is missing");
}

double parse_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || std::abs(value) > 1e30)
    throw UsageError("'" + std::string(text.substr(0, 30)) + "' is no number");
  return value;
}

std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : separator;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (i < list.size() && (c != separator || depth > 0)) continue;
    parts.emplace_back(trimmed(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

std::vector<std::string> kernels_of(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    line = line.substr(0, line.find("//"));
    const std::size_t global = line.find("__global__");
    if (global == std::string_view::npos) continue;
    // The declaration may go on in the next lines.
    std::string declaration(line.substr(global + 10));
    while (declaration.find('(') == std::string::npos && !text.empty())
      declaration += " " + std::string(take_line(text));
    if (const std::size_t bounds = declaration.find("__launch_bounds__"); bounds != std::string::npos)
      declaration.erase(bounds, declaration.find(')', bounds) - bounds + 1);
    std::string_view before = std::string_view(declaration).substr(0, declaration.find('('));
    before = trimmed(before);
    std::size_t begin = before.size();
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(before[begin - 1])) != 0 || before[begin - 1] == '_'))
      --begin;
    if (begin < before.size()) names.emplace_back(before.substr(begin));
  }
  return names;
}

}  // namespace threadscape::sketch
