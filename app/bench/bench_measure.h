#pragma once
// Takes the samples of a point of a benchmark. Warm-up runs are recorded separately. Peers and Threadscape are measured
// in turns, so that all see the machine in the same state.

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/peers/peer.h"
#include "app/report/conditions.h"
#include "app/report/cpu_counters.h"
#include "compute/core/ceilings.h"
#include "compute/run/kernel_facts.h"
#include "compute/run/runner.h"
#include "compute/run/stage_run.h"

namespace threadscape::app {

/// How many samples of a figure are taken: at least `repetitions`, and for at least `min_seconds`. After `max_seconds`
/// three samples are enough.
struct SamplingRule {
  int repetitions = 15;
  double min_seconds = 0.3;
  double max_seconds = 20.0;
  /// Number of runs before the samples: they touch memory for the first time, start threads and raise clocks. CUDA
  /// makes at least one.
  int warm_up_runs = 3;
  /// Half width that the 95 % interval of every median must not exceed, as a fraction of the median; 0 = any. Sampling
  /// goes on until it is reached, or until `max_seconds`.
  double precision = 0.0;
  /// If true, the caches of the CPU are emptied before every run on the CPU, so that every run is a first one.
  bool cold = false;
  /// If true, a further run on the CPU is made with counters. They count all threads of the process, so that a program
  /// with a window has no use for them.
  bool counters = false;
  [[nodiscard]] bool enough(std::size_t samples, double seconds) const;
};

/// The samples of a point. Each is the duration of one run in milliseconds.
struct Series {
  std::vector<double> compute, upload, download;
  /// Durations of allocating the memory of a run, in milliseconds: on the CPU that of the result and the scratch
  /// memory, every page of which is touched; on the GPU that of the input as well.
  std::vector<double> allocation = {};
  /// Durations of the warm-up runs in milliseconds, which are not part of any statistics.
  std::vector<double> warm_up;
  /// Number of runs that each sample of `compute` averages; greater than 1 if a single run is too short for the clock.
  int batch = 1;
  /// Number of pairs of input and output that the runs use in turns; more than 1 keep the data out of the GPU's L2
  /// cache.
  int buffers = 1;
  /// If true, the input was not in the cache when a run began: the caches of the CPU were emptied, or the GPU's L2
  /// cache held other buffers.
  bool cold = false;
  /// Why sampling ended: "samples" if as many were taken as SamplingRule::repetitions asks for, "precision" if the
  /// intervals of all medians became narrow enough, "time" if SamplingRule::max_seconds had passed before that.
  std::string ended = {};
  /// What happened on the machine while the samples were taken.
  Conditions conditions = {};
  std::optional<CpuCounts> counts = {};  ///< Counters of one run; unset where the machine does not allow them.
  cuda::Kernels kernels = {};            ///< What CUDA launches for a run; empty on the CPU.
  /// The stages of a run that was made with clocks; unset for algorithms without the facet, and for runs of more than a
  /// second, which are not made again for that.
  std::optional<StageRun> stages = {};
};

/// A line of a suite's plots that a point belongs to (app/bench/bench_suite.h).
struct SeriesTag {
  std::string group, label;
  std::string case_label;  ///< Label of the case; "" if the group has no cases.
  friend bool operator==(const SeriesTag&, const SeriesTag&) = default;
};

/// An input that was read from a file.
struct InputFile {
  std::string name;  ///< Without the folder.
  HostArray data;
};

/// A run that is measured, and the lines of plots that it belongs to.
struct BenchPoint {
  RunRequest request;
  Shape input, output;
  std::vector<SeriesTag> series = {};
  std::shared_ptr<const InputFile> file = {};  ///< Null if the input is made for the point.
  /// Number of CPU threads that the run uses; 1 for serial and CUDA.
  [[nodiscard]] int threads() const;
  /// Returns true if the algorithm reduces its input to one number; its memory traffic is one read of the input then.
  [[nodiscard]] bool gives_scalar() const { return output.kind == Kind::scalar; }
};
/// The shape that states the size of a point: the input's, or the output's if there is no input.
[[nodiscard]] const Shape& work_shape(const BenchPoint& point);

struct BenchResult {
  BenchPoint point;
  Series series;
  std::string peer;  ///< Name of the peer that was measured; "" = Threadscape itself.
  /// Median time of the peer divided by that of Threadscape, from samples taken in turns; 0 = no peer.
  double ratio_to_ours = 0.0;
  std::string skipped;  ///< The reason why there is no series; "" if there is one.
  /// The estimated milliseconds of a run, for a point that was skipped because it takes too long; otherwise 0.
  double estimated_ms = 0.0;
};

/// Measured bandwidths of memory: the limits for an algorithm that reads its input once and writes its output once.
struct CopyLimits {
  /// Copy bandwidth of host memory in bytes per second, read plus written, by number of threads.
  std::map<int, double> host;
  /// Bandwidth of only reading host memory in bytes per second, by number of threads.
  std::map<int, double> host_read;
  /// Copy bandwidth of the GPU's memory in bytes per second, read plus written; 0 = not measured.
  double device = 0.0;
  /// What the memories and the arithmetic of the GPU reach; empty = not measured.
  MeasuredCeilings device_ceilings = {};
  /// The copy bandwidth in bytes per second of the memory in which the point runs; 0 if it was not measured.
  [[nodiscard]] double of(const BenchPoint& point) const;
};

/// Measures a point, and those peers of `candidates` that compute the same function. The result of Threadscape comes
/// first. Throws what a run throws.
[[nodiscard]] std::vector<BenchResult> measure(const BenchPoint& point, HostIn input, std::span<const Peer> candidates,
                                               const SamplingRule& rule, const std::stop_token& stop);

/// Measures two points in turns, so that a drift of the machine touches both alike. Throws what a run throws.
[[nodiscard]] std::vector<BenchResult> measure_in_turns(const BenchPoint& a, HostIn input_of_a, const BenchPoint& b,
                                                        HostIn input_of_b, const SamplingRule& rule,
                                                        const std::stop_token& stop);

}  // namespace threadscape::app
