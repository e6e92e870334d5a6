#pragma once
// What a benchmark measures, point by point, and the measuring of all of them.

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/bench.h"
#include "app/bench/bench_report.h"

namespace threadscape::app {

/// A picture's size, as the command line and the suites write it; of a sequence the width alone counts.
struct Extent {
  std::int64_t width = 0, height = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};
/// "N" or "WxH". Throws UsageError that begins with `where`.
[[nodiscard]] Extent parse_extent(const std::string& where, const std::string& text);
/// "1920x1080"
[[nodiscard]] std::string to_string(const Extent& extent);

/// The shape of a picture (volume, sequence) of this size, with the first element type that the algorithm takes.
/// Throws UsageError.
[[nodiscard]] Shape input_shape(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent,
                                int channels);
/// The parameters for an input of this size: the `count` of a sequence says the same as its length.
[[nodiscard]] ParamBox sized_params(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent);
/// "1920x1080", or the length of a sequence.
[[nodiscard]] std::string extent_text(const Shape& shape);
/// Indices of the variants that `names` ask for: names, "default" or "all".
[[nodiscard]] std::vector<int> variants_for(const AlgorithmInfo& algorithm, Backend backend,
                                            const std::vector<std::string>& names);

struct PlannedPoint {
  BenchPoint point;
  SamplingRule rule;
  std::string left_out = {};  ///< why it is not measured here, or ""
};

/// The points that `threadscape bench` without a suite measures. Throws UsageError.
[[nodiscard]] std::vector<PlannedPoint> plan(const BenchOptions& options);

/// What a missing machine part does to a benchmark.
enum class Missing : std::uint8_t {
  backend,  ///< a backend that is absent is reported as skipped; everything else ends the benchmark
  any,      ///< also a point that the machine has no memory for
};
/// Measures the copy bandwidths and all points. Throws what a run throws.
[[nodiscard]] BenchReport measure_all(const std::vector<PlannedPoint>& points, const BenchOptions& options,
                                      Missing tolerated);
/// Writes --json and --csv. `json` is bench_json(report), perhaps with more in it.
void write_reports(const BenchOptions& options, const BenchReport& report, const Json& json);
/// Done when anything was measured, otherwise skipped.
[[nodiscard]] ExitCode outcome(const BenchReport& report);

}  // namespace threadscape::app
