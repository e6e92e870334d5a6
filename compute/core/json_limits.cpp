#include "compute/core/json_limits.h"

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

JsonLimits& json_limits() {
  static JsonLimits limits;
  return limits;
}

void check_json_limits(std::string_view text) {
  const std::int64_t max_bytes = json_limits().bytes, max_depth = json_limits().depth;
  if (static_cast<std::int64_t>(text.size()) > max_bytes)
    throw UsageError("JSON is longer than the " + std::to_string(max_bytes) +
                     " bytes that are read (--limit json-bytes=N raises the limit)");
  std::int64_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i = end_of_text_or_comment(text, i);
    if (i >= text.size()) return;
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    if (depth > max_depth)
      throw UsageError("JSON is nested more than " + std::to_string(max_depth) + " levels deep at byte " +
                       std::to_string(i + 1) + " (--limit json-depth=N raises the limit)");
  }
}

}  // namespace threadscape
