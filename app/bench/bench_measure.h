#pragma once
// Taking samples: one point of the benchmark at a time, warm-up kept apart, peers in turns with our own code so that
// both see the same machine.

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/peers/opencv_peer.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// How many samples: at least `repetitions` and `min_seconds`, but after `max_seconds` three will do.
struct SamplingRule {
  int repetitions = 15;
  double min_seconds = 0.3;
  double max_seconds = 20.0;
  int warm_up_runs = 3;  ///< first runs touch fresh memory, start threads and raise clocks; cuda needs one
  [[nodiscard]] bool enough(std::size_t samples, double seconds) const;
};

/// Milliseconds per run.
struct Series {
  std::vector<double> compute, upload, download;
  std::vector<double> warm_up;  ///< not part of any statistics
  int batch = 1;  ///< runs behind each compute sample; more than one where a run is shorter than the clock is good for
  int buffers = 1;  ///< pairs of input and output that the runs go round; > 1 keeps the data out of the GPU's L2 cache
};

/// A line of a suite's plots that a point belongs to (app/bench/bench_suite.h).
struct SeriesTag {
  std::string group, label;
  std::string case_label;  ///< "" = the group has none
  friend bool operator==(const SeriesTag&, const SeriesTag&) = default;
};

struct BenchPoint {
  RunRequest request;
  Shape input, output;
  std::vector<SeriesTag> series = {};
  [[nodiscard]] int threads() const;  ///< that the CPU uses; 1 for serial and cuda
};
/// What a point works on: its input, or what it makes from nothing.
[[nodiscard]] const Shape& work_shape(const BenchPoint& point);

struct BenchResult {
  BenchPoint point;
  Series series;
  std::string peer;            ///< "" = our own
  double ratio_to_ours = 0.0;  ///< peer's median / our median, of samples taken in turns; 0 = no peer
  std::string skipped;         ///< why there is no series, or ""
};

/// Copy bandwidths in bytes per second, read plus written: the limit of what one pass over the data can reach.
struct CopyLimits {
  std::map<int, double> host;                              ///< by threads
  std::map<int, double> host_read;                         ///< reading alone; where a result is a single number
  double device = 0.0;                                     ///< 0 = no device was measured
  [[nodiscard]] double of(const BenchPoint& point) const;  ///< 0 = unknown
};

/// Measures one point, and behind it those of `with` that compute the same. Throws what a run throws.
[[nodiscard]] std::vector<BenchResult> measure(const BenchPoint& point, HostIn input, std::span<const Peer> with,
                                               const SamplingRule& rule, const std::stop_token& stop);

}  // namespace threadscape::app
