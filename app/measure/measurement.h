#pragma once
// One measurement: what ran, where it ran, the samples, what a run counts, the limits of the machine, and the
// conditions. `bench`, the lab, peers and suites make measurements; reports keep them; charts, tables and comparisons
// are made of them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/report/conditions.h"
#include "app/report/cpu_counters.h"
#include "compute/core/backend.h"
#include "compute/core/params.h"
#include "compute/core/shape.h"
#include "compute/run/kernel_counters.h"
#include "compute/run/kernel_facts.h"

namespace threadscape::app {

/// A parameter of a run that was measured, here or by another version of the program.
struct Parameter {
  std::string name;
  std::string json;  ///< The value as reports hold it.
  std::string text;  ///< The value as labels show it: "l1", "3", "median+sobel" for the steps of a chain that are on.
  /// The value, unless it is no number.
  [[nodiscard]] std::optional<double> number() const;
  /// `text`, or "" for values too long for a label, such as masks, which come with a short parameter that differs too.
  [[nodiscard]] std::string_view short_text() const;
  friend bool operator==(const Parameter& a, const Parameter& b) { return a.name == b.name && a.json == b.json; }
};
[[nodiscard]] std::vector<Parameter> parameters_of(const ParamBox& params);

/// What ran: the algorithm with its parameters, and the shapes of its input and output.
struct Workload {
  std::string algorithm;
  std::vector<Parameter> params = {};
  Shape input = {}, output = {};
  std::string file = {};  ///< Name of the input's file; "" if the input was made.

  /// The shape that states the size of the work: the input's, or the output's if there is no input.
  [[nodiscard]] const Shape& shape() const { return input.kind == Kind::none ? output : input; }
  /// Number of pixels, voxels or values.
  [[nodiscard]] double items() const { return static_cast<double>(shape().items()); }
  /// The size as labels show it: "1920x1080", "64x64x64", "1048576".
  [[nodiscard]] std::string size_text() const;
  /// The parameter with this name; null if there is none.
  [[nodiscard]] const Parameter* find(std::string_view name) const;
  friend bool operator==(const Workload& a, const Workload& b);
};

/// Where it ran.
struct Target {
  Backend backend = Backend::serial;
  std::string variant = "default";  ///< The name, with "/" and that of the route if one was forced.
  int threads = 1;                  ///< CPU threads that the run used; 1 for serial and CUDA.
  std::string peer = {};            ///< Name of the other library that was measured; "" = Threadscape itself.
  [[nodiscard]] const std::string& method() const { return peer.empty() ? variant : peer; }
};

/// The median; 0 without samples.
[[nodiscard]] double median_of(const std::vector<double>& samples);

/// The duration of every run, in milliseconds.
struct Samples {
  std::vector<double> compute = {}, upload = {}, download = {};
  /// Durations of allocating the memory of a run: on the CPU that of the result and the scratch memory, every page of
  /// which is touched; on the GPU that of the input as well.
  std::vector<double> allocation = {};
  std::vector<double> warm_up = {};  ///< Runs before the samples, which are not part of any statistics.
  /// Number of runs that each sample of `compute` averages; greater than 1 if a single run is too short for the clock.
  int batch = 1;
  /// Number of pairs of input and output that the runs use in turns; more than 1 keep the data out of the GPU's L2
  /// cache.
  int buffers = 1;
  /// "cold" if the input was not in the cache when a run began, because the caches of the CPU were emptied, or because
  /// the GPU's L2 cache held other buffers; else "warm". "" if a report does not say.
  std::string caches = {};
  /// Why sampling ended: "samples" if as many were taken as SamplingRule::repetitions asks for, "precision" if the
  /// intervals of all medians became narrow enough, "time" if SamplingRule::max_seconds had passed before that.
  std::string ended = {};
  [[nodiscard]] double median() const { return median_of(compute); }
};

/// What a run moves, computes and launches.
struct Counts {
  double bytes = 0.0;                 ///< Bytes that it reads and writes by its definition; 0 if unknown.
  double operations = 0.0;            ///< Operations that the algorithm states; 0 if it states none.
  std::optional<CpuCounts> cpu = {};  ///< Counters of one run; unset where the machine does not allow them.
  cuda::Kernels kernels = {};         ///< What CUDA launches; empty on the CPU and in older reports.
  cuda::CountedRun gpu = {};          ///< What the GPU counted in one run; empty unless that was asked for.
  /// Milliseconds of each stage of a run with clocks, in the order of the work; what no stage has is the last, "rest".
  /// Empty for algorithms without stages, and for runs of more than a second, which are not made again for that.
  std::vector<std::pair<std::string, double>> stages = {};
};

/// Bandwidths in bytes per second that bound the run, measured on the same memory and threads; 0 = not measured.
struct Limits {
  double copy = 0.0;  ///< A plain copy, read plus written.
  double read = 0.0;  ///< Reading alone, for runs that reduce their input to one number.
};

/// The time of a run as it was predicted before it was measured.
struct PredictedTime {
  double ms = 0.0;            ///< 0 = there is none.
  std::string bound = {};     ///< What binds it, as warp::Bound names it; on a CPU "cores", "memory", "L3" or "start".
  std::string gpu = {};       ///< The GPU or the CPU that it is for.
  std::string why_none = {};  ///< Why there is none, where one was wanted.
};

/// A line of a suite's plots that a measurement belongs to (app/bench/bench_suite.h).
struct SeriesTag {
  std::string group, label;
  std::string case_label = {};  ///< Label of the case; "" if the group has no cases.
  friend bool operator==(const SeriesTag&, const SeriesTag&) = default;
};

struct Measurement {
  Workload what;
  Target where;
  Samples samples = {};
  Counts counts = {};
  Limits limits = {};
  Conditions conditions = {};
  PredictedTime predicted = {};
  std::vector<SeriesTag> series = {};
  /// Median time of the peer divided by that of Threadscape, from samples taken in turns; 0 = no peer.
  double peer_over_ours = 0.0;
  std::string skipped = {};   ///< The reason why there are no samples; "" if there are some.
  double estimated_ms = 0.0;  ///< Estimated time of a run that was skipped because it takes too long; else 0.

  /// 1e9 bytes per second of those that a run moves; 0 if unknown.
  [[nodiscard]] double gigabytes() const;
  /// 1e9 pixels, voxels or values per second, counted in the output, or in the input if the output is a single number.
  [[nodiscard]] double giga_items() const;
  /// The predicted time over the measured one, less 1; 0 without both.
  [[nodiscard]] double prediction_error() const {
    return predicted.ms > 0.0 && samples.median() > 0.0 ? predicted.ms / samples.median() - 1.0 : 0.0;
  }
  /// Bandwidth as a fraction of the limits; 0 = not measured.
  [[nodiscard]] double of_copy() const { return limits.copy > 0.0 ? gigabytes() * 1e9 / limits.copy : 0.0; }
  [[nodiscard]] double of_read() const { return limits.read > 0.0 ? gigabytes() * 1e9 / limits.read : 0.0; }
  /// Text that is equal for two measurements exactly if both measured the same work in the same way.
  [[nodiscard]] std::string key() const;
};

/// The parameters of a row that differ from those of another row of the same algorithm, as text: " operation=open
/// size=3".
[[nodiscard]] std::string varied_params(const Measurement& row, const std::vector<const Measurement*>& rows);
/// Element type and channels of the input: "u8 x 4".
[[nodiscard]] std::string numbers_of(const Workload& what);
/// Labels of rows for tables: algorithm, size, backend, variant and threads, and those parameters, element types and
/// numbers of channels that differ between rows of the same algorithm.
[[nodiscard]] std::vector<std::string> row_labels(const std::vector<const Measurement*>& rows);
/// Labels for places where whole ones do not fit: the algorithm, and those words that not all rows have. Words that all
/// rows of an algorithm have are left out, too, and parameters are their values alone.
[[nodiscard]] std::vector<std::string> short_labels(const std::vector<std::string>& labels);

/// What a measurement says beside its time, in words: the rates of the run with the bytes and operations that they
/// count, the counters of the CPU and the GPU, the kernels of CUDA, and what happened on the machine that makes the
/// times doubtful. What was not measured has no sentence.
[[nodiscard]] std::vector<std::string> row_sentences(const Measurement& row);
/// A kernel in one sentence: its launches, blocks and threads, what a thread and a block take, and the occupancy that
/// this allows.
[[nodiscard]] std::string kernel_sentence(const cuda::KernelFacts& kernel);

}  // namespace threadscape::app
