#include "compute/core/json_limits.h"

#include <istream>
#include <string>

#include "compute/core/errors.h"

namespace threadscape {

namespace {

/// The index of the last character of what begins at `i`, for texts in quotes and for comments; `i` for all else.
std::size_t end_of_text_or_comment(std::string_view json, std::size_t i) {
  const auto last = [&](std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? json.size() : found + length - 1;
  };
  if (json[i] == '"') {
    for (++i; i < json.size() && json[i] != '"'; ++i)
      if (json[i] == '\\') ++i;
    return i;
  }
  if (json.substr(i, 2) == "//") return last(json.find('\n', i), 1);
  if (json.substr(i, 2) == "/*") return last(json.find("*/", i + 2), 2);
  return i;
}

}  // namespace

void check_json_limits(std::string_view text) {
  if (text.size() > max_json_bytes)
    throw UsageError("JSON is longer than the " + std::to_string(max_json_bytes) + " bytes that are read");
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i = end_of_text_or_comment(text, i);
    if (i >= text.size()) return;
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    if (depth > max_json_depth)
      throw UsageError("JSON is nested more than " + std::to_string(max_json_depth) + " levels deep at byte " +
                       std::to_string(i + 1));
  }
}

std::string read_json(std::istream& stream) {
  std::string text;
  char chunk[std::size_t{1} << 16];
  while (text.size() <= max_json_bytes && (stream.read(chunk, sizeof chunk) || stream.gcount() > 0))
    text.append(chunk, static_cast<std::size_t>(stream.gcount()));
  check_json_limits(text);
  return text;
}

}  // namespace threadscape
