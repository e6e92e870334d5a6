#pragma once
// Says in words what measured figures mean: what bounds a run, and why more threads do not help. The rules are few, and
// each has a threshold that is stated in the header, so that a reader can check every sentence against the figures.

#include <string>
#include <vector>

#include "app/analysis/scaling.h"
#include "compute/core/backend.h"

namespace threadscape::app {

/// The figures that the rules read. A figure that was not measured is 0, or empty, and no rule uses it.
struct WhyFacts {
  Backend backend = Backend::serial;
  double compute_ms = 0.0, upload_ms = 0.0, download_ms = 0.0;  ///< Medians.
  double of_copy = 0.0;                   ///< Bandwidth of the run divided by the bandwidth of a plain copy.
  double precision = 0.0;                 ///< Half width of the median's interval divided by the median; 0 if unknown.
  std::size_t missing_runs = 0;           ///< Runs that are missing for an interval of the median.
  double other_load = 0.0;                ///< CPU cores that other programs kept busy in the runs of `scaling`.
  int physical_cores = 0;                 ///< Cores of the CPU, without SMT; 0 if unknown.
  int multiprocessors = 0;                ///< Multiprocessors of the GPU.
  bool counted = false;                   ///< Sentences on what the lines of its kernels do follow.
  int busy_multiprocessors = 0;           ///< Multiprocessors that the launch with the most blocks gives work to.
  std::vector<ThreadPoint> scaling = {};  ///< Times of the same input by number of threads, ascending.
};

/// Thresholds of the rules.
struct WhyLimits {
  static constexpr double transfers = 0.5;         ///< Transfers from this share of the total time on are named.
  static constexpr double memory = 0.6;            ///< From this share of the copy on, the memory is the bound.
  static constexpr double launch_ms = 0.02;        ///< CUDA runs up to this time are dominated by their launches.
  static constexpr double thread_ms = 0.02;        ///< Less work per thread than this is lost in waking threads.
  static constexpr double quiet_load = 0.2;        ///< Beyond so many cores, the load of other programs is named.
  static constexpr double serial_fraction = 0.02;  ///< From this serial fraction on, the law of Amdahl is named.
  static constexpr double precision = 0.05;        ///< From this half width on, the samples are called uncertain.
};

/// The sentences of all rules that apply, the most important first. If none applies, one sentence says so. Empty if
/// nothing was measured.
[[nodiscard]] std::vector<std::string> why(const WhyFacts& facts);

}  // namespace threadscape::app
