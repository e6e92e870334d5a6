#pragma once
// The figures of `threadscape render --timings`, which the lab shows as a histogram.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

/// Times from a change to the frame that shows it.
struct LatencyFile {
  std::string title;            ///< What was changed and where it ran, for the list of histograms.
  std::vector<double> samples;  ///< In milliseconds.
};

/// Reads such figures from JSON; nothing if the text has none, because it is a report of `bench` for example. Throws
/// UsageError with `file` if the text is no JSON, or its times are no numbers.
[[nodiscard]] std::optional<LatencyFile> latency_file(std::string_view json, const std::string& file);

}  // namespace threadscape::app
