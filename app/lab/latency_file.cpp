#include "app/lab/latency_file.h"

#include <nlohmann/json.hpp>

#include "app/measure/json_node.h"

namespace threadscape::app {

std::optional<LatencyFile> latency_file(std::string_view json, const std::string& file) {
  constexpr double longest_ms = 1e9;
  const Json value = parse_json_text(json, file);
  const JsonNode root(value, file);
  if (!value.is_object() || !root.has("latency_ms")) return std::nullopt;
  LatencyFile latency{.title = "latency: " + root.at("algorithm").text() + " on " + root.at("backend").text() + ", " +
                               root.at("route").text()};
  for (const JsonNode& sample : root.at("latency_ms").at("samples").items())
    latency.samples.push_back(sample.number(0.0, longest_ms));
  return latency;
}

}  // namespace threadscape::app
