#include "app/session/sketch_export.h"

#include <algorithm>

namespace threadscape::app {

namespace {

constexpr std::string_view begin = "\n// @threadscape: parameters, input and results of the kernel above\n";
/// Characters of a data address in a line.
constexpr std::size_t line_length = 110;

/// Texts of comments have no line ends of their own.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::string text_of(const ExportedSketch& sketch) {
  std::string text = sketch.source;
  text += begin;
  const auto add = [&text](std::string_view key, const std::string& value) {
    if (!value.empty()) text.append("// @").append(key).append(": ").append(one_line(value)).append("\n");
  };
  add("params", sketch.params);
  add("input", sketch.input);
  for (const std::string& result : sketch.results)
    add("result", result);
  for (std::size_t at = 0; at < sketch.picture.size(); at += line_length)
    add("picture", sketch.picture.substr(at, line_length));
  return text;
}

ExportedSketch read_exported(std::string_view text) {
  ExportedSketch sketch;
  const std::size_t end = text.rfind(begin);
  sketch.source = text.substr(0, end);
  if (end == std::string_view::npos) return sketch;
  std::string_view rest = text.substr(end + begin.size());
  while (!rest.empty()) {
    const std::size_t stop = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, stop);
    rest.remove_prefix(std::min(stop + 1, rest.size()));
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("// @") || colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(4, colon - 4), value = line.substr(colon + 2);
    if (key == "params") sketch.params = value;
    if (key == "input") sketch.input = value;
    if (key == "picture") sketch.picture += value;
    if (key == "result") sketch.results.emplace_back(value);
  }
  return sketch;
}

}  // namespace threadscape::app
