#pragma once
// Takes the samples of a point of a benchmark. Warm-up runs are recorded separately. Peers and Threadscape are measured
// in turns, so that all see the machine in the same state.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/peers/peer.h"
#include "app/measure/measurement.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// How many samples of a figure are taken: at least `repetitions`, and for at least `min_seconds`. After `max_seconds`
/// three samples are enough. Of more than `most_samples` every second, fourth and so on is kept, from the first to the
/// last.
struct SamplingRule {
  static constexpr std::size_t most_samples = 10'000;
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
};
/// The shape that states the size of a point: the input's, or the output's if there is no input.
[[nodiscard]] const Shape& work_shape(const BenchPoint& point);

/// The row of a report for a point, without samples.
[[nodiscard]] Measurement row_of(const BenchPoint& point);
/// A point that was not measured, and why.
[[nodiscard]] Measurement skipped(const BenchPoint& point, const std::string& why);

/// Measures a point, and those peers of `candidates` that compute the same function. The result of Threadscape comes
/// first. A point on several devices is measured in turns on one, two and more of them, without peers. Throws what a
/// run throws.
[[nodiscard]] std::vector<Measurement> measure(const BenchPoint& point, HostIn input, std::span<const Peer> candidates,
                                               const SamplingRule& rule, const std::stop_token& stop);

/// Makes further runs of a CUDA point that was measured, and adds to its row what the GPU counts, or why nothing was
/// counted. Samples that are taken later may have slower launches (compute/gpu/counters.h).
void count_on_gpu(const BenchPoint& point, HostIn input, Measurement& row);

/// Measures two points in turns, so that a drift of the machine touches both alike. Throws what a run throws.
[[nodiscard]] std::vector<Measurement> measure_in_turns(const BenchPoint& a, HostIn input_of_a, const BenchPoint& b,
                                                        HostIn input_of_b, const SamplingRule& rule,
                                                        const std::stop_token& stop);

}  // namespace threadscape::app
