#pragma once
// Takes the samples of a point of a benchmark. Warm-up runs are kept apart, and peers are measured in turns with our
// own code, so that both see the machine in the same state.

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/peers/opencv_peer.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// How many samples of a figure are taken: at least `repetitions` and for at least `min_seconds`, but after
/// `max_seconds` three samples are enough.
struct SamplingRule {
  int repetitions = 15;
  double min_seconds = 0.3;
  double max_seconds = 20.0;
  int warm_up_runs =
      3;  ///< The first runs touch fresh memory, start threads and raise clocks. CUDA takes one at least.
  [[nodiscard]] bool enough(std::size_t samples, double seconds) const;
};

/// Samples in milliseconds per run.
struct Series {
  std::vector<double> compute, upload, download;
  std::vector<double> warm_up;  ///< Not part of any statistics.
  /// Runs per compute sample; greater than 1 if a single run is too short for the clock.
  int batch = 1;
  /// Pairs of input and output that the runs use in turns; more than 1 keep the data out of the GPU's L2 cache.
  int buffers = 1;
};

/// A line of a suite's plots that a point belongs to (app/bench/bench_suite.h).
struct SeriesTag {
  std::string group, label;
  std::string case_label;  ///< "" if the group has no cases.
  friend bool operator==(const SeriesTag&, const SeriesTag&) = default;
};

/// A run that is measured.
struct BenchPoint {
  RunRequest request;
  Shape input, output;
  std::vector<SeriesTag> series = {};
  /// CPU threads that the run uses; 1 for serial and CUDA.
  [[nodiscard]] int threads() const;
  /// Whether the algorithm reduces its input to one number, so that its memory traffic is the input read once.
  [[nodiscard]] bool gives_scalar() const { return output.kind == Kind::scalar; }
};
/// The shape that states the size of a point: the input's, or the output's if there is no input.
[[nodiscard]] const Shape& work_shape(const BenchPoint& point);

struct BenchResult {
  BenchPoint point;
  Series series;
  std::string peer;            ///< Name of the peer; "" = our own code.
  double ratio_to_ours = 0.0;  ///< The peer's median / our median, from samples taken in turns; 0 = no peer.
  std::string skipped;         ///< Why there is no series; "" if there is one.
};

/// Bandwidths of a plain copy in bytes per second, read plus written: the limit for one pass over the data.
struct CopyLimits {
  std::map<int, double> host;       ///< By number of threads.
  std::map<int, double> host_read;  ///< Bandwidth of reading alone in bytes per second, by number of threads.
  double device = 0.0;              ///< Of the GPU's memory; 0 = not measured.
  /// The copy bandwidth where the point runs; 0 if it was not measured.
  [[nodiscard]] double of(const BenchPoint& point) const;
};

/// Measures a point, and those of `candidates` that compute the same function. Our own result comes first. Throws what
/// a run throws.
[[nodiscard]] std::vector<BenchResult> measure(const BenchPoint& point, HostIn input, std::span<const Peer> candidates,
                                               const SamplingRule& rule, const std::stop_token& stop);

}  // namespace threadscape::app
