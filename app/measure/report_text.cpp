#include "app/measure/report_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace threadscape::app {

namespace {

std::string without_line_breaks(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Appends a value. Its elements begin new lines if it is less than `levels` levels below the report.
void append(const nlohmann::ordered_json& value, int depth, std::string& text) {
  constexpr int levels = 2;
  if (!value.is_structured() || value.empty()) {
    text += without_line_breaks(value);
    return;
  }
  const bool lines =
      depth < levels && (value.is_object() ||
                         std::ranges::any_of(value, [](const nlohmann::ordered_json& v) { return v.is_structured(); }));
  const auto indent = [&text](int columns) { text += "\n" + std::string(static_cast<std::size_t>(columns), ' '); };
  text += value.is_object() ? '{' : '[';
  for (auto element = value.begin(); element != value.end(); ++element) {
    if (element != value.begin()) text += lines ? "," : ", ";
    if (lines) indent(2 * (depth + 1));
    if (value.is_object()) text += without_line_breaks(element.key()) + ": ";
    append(*element, depth + 1, text);
  }
  if (lines) indent(2 * depth);
  text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string report_text(const nlohmann::ordered_json& report) {
  std::string text;
  append(report, 0, text);
  return text + "\n";
}

}  // namespace threadscape::app
