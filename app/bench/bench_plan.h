#pragma once
// Plans the points of a benchmark from the options, and measures them.

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/bench.h"
#include "app/bench/bench_measure.h"
#include "app/measure/report_file.h"

namespace threadscape::app {

class LongTask;
class TimeBudget;

/// The size of an input as the command line and suites write it. A sequence has `width` values, a volume `width` x
/// `height` x `width` voxels.
struct Extent {
  std::int64_t width = 0, height = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};
/// Parses "N", which is NxN, or "WxH". Throws UsageError with a message that begins with `where`.
[[nodiscard]] Extent parse_extent(const std::string& where, const std::string& text);
/// Formats an extent as "1920x1080".
[[nodiscard]] std::string to_string(const Extent& extent);

/// Returns true if the size of the input is chosen separately from the parameters. It is not if the algorithm takes no
/// input, or if it takes a mesh that it makes itself, whose number of triangles follows from the parameters.
[[nodiscard]] bool has_sizes(const AlgorithmInfo& algorithm);
/// The shape of an input of this size, of the kind that the algorithm takes, with the first element type that it
/// accepts. Without has_sizes(), `extent` is not used: the shape is that of the mesh that the algorithm makes from the
/// parameters, or Shape{} if it takes no input. Throws UsageError if the algorithm accepts no element type.
[[nodiscard]] Shape input_shape(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent,
                                int channels);
/// Returns true if the parameter with this name is the length of the sequence that the algorithm takes. A benchmark
/// sets it to the length of the input, so that it cannot be chosen beside that.
[[nodiscard]] bool length_follows(const AlgorithmInfo& algorithm, std::string_view parameter);
/// Returns `params` for an input of this size: for algorithms on sequences, `count` becomes the length of the input.
[[nodiscard]] ParamBox sized_params(const AlgorithmInfo& algorithm, const ParamBox& params, const Extent& extent);
/// Formats a size as labels show it: "1920x1080", or the length of a sequence.
[[nodiscard]] std::string extent_text(const Shape& shape);
/// Indices of the variants that `names` ask for. A name is that of a variant, "default" or "all".
[[nodiscard]] std::vector<int> variants_for(const AlgorithmInfo& algorithm, Backend backend,
                                            const std::vector<std::string>& names);

/// The input of a point that has no file: what the algorithm makes itself, or a synthetic photo.
[[nodiscard]] HostArray make_input(const BenchPoint& point);
/// The input of the point that was asked for last. It is kept for the next point, if that has the same one.
class SharedInput {
 public:
  HostIn of(const BenchPoint& point);

 private:
  HostArray input_;
  std::optional<BenchPoint> made_for_;
};
/// The rule with those values replaced that the options state.
[[nodiscard]] SamplingRule sampling_rule(const BenchOptions& options, SamplingRule rule);

struct PlannedPoint {
  BenchPoint point;
  SamplingRule rule;
  std::string left_out = {};  ///< The reason why the point is not measured on this machine; "" if it is.
};

/// The points that `threadscape bench` without a suite measures. Throws UsageError.
[[nodiscard]] std::vector<PlannedPoint> plan(const BenchOptions& options);

/// Measures the copy bandwidths that limit the points, as far as `known` does not have them.
[[nodiscard]] CopyLimits measure_limits(const std::vector<PlannedPoint>& points, CopyLimits known = {});

/// Which errors a benchmark tolerates: the point is then reported as skipped. Other errors end the benchmark.
enum class Missing : std::uint8_t {
  backend,  ///< The backend does not exist on this machine.
  any,      ///< The backend does not exist, or the machine cannot run the point, for example for lack of memory.
};
/// Measures the copy bandwidths and all points. Throws what a run throws, unless it is tolerated.
[[nodiscard]] Report measure_all(const std::vector<PlannedPoint>& points, const BenchOptions& options,
                                 Missing tolerated);
/// Measures points within `budget`, in the order of their work, with fewer samples where they take long, and leaves out
/// those that take too long. The results are in the order of the points. BenchOptions::predict asks for predictions,
/// which take time of the budget. `known` are copy bandwidths that were measured before; `task` can cancel it.
[[nodiscard]] Report measure_within(TimeBudget& budget, const std::vector<PlannedPoint>& points,
                                    const BenchOptions& options, const CopyLimits& known, LongTask& task);
/// Writes the files that `options` name: `json`, and the report as CSV.
void write_reports(const BenchOptions& options, const Report& report, const Json& json);
/// Where tables and other texts are printed: stdout, or stderr if `options` send the JSON or the CSV to stdout.
[[nodiscard]] std::FILE* text_stream(const BenchOptions& options);
/// ExitCode::done if any point was measured or predicted, otherwise ExitCode::skipped.
[[nodiscard]] ExitCode outcome(const Report& report);

}  // namespace threadscape::app
