#pragma once
// What a speed-up of openmp over serial is made of. Its product has three factors, each of which is a quotient of two
// measured medians:
//
//   serial / loops, 1 thread        code      about 1: the same loops, compiled for threads
//   loops, 1 thread / X, 1 thread   vectors   SIMD, and the other method that X may have
//   X, 1 thread / X, all threads    threads
//
// X is another variant of openmp. An algorithm without the variant `loops` has one factor for code and vectors.

#include <optional>
#include <string>

namespace threadscape::app {

/// Medians in milliseconds; 0 = not measured.
struct SpeedupTimes {
  double baseline = 0.0;      ///< What the speed-up is over, on all of its threads.
  double baseline_one = 0.0;  ///< The baseline on one thread; of serial the same as `baseline`.
  double loops_one = 0.0,
         loops = 0.0;               ///< The variant `loops` on one thread and on all; 0 unless serial is the baseline.
  double own_one = 0.0, own = 0.0;  ///< X on one thread and on all.
};

struct Speedup {
  double over_baseline = 0.0;  ///< The product of the three factors.
  double code = 1.0, vectors = 1.0, threads = 1.0;
  double loop_threads = 0.0;  ///< The gain of `loops` from the same number of threads; 0 = not measured.
  bool has_loops = false;     ///< If false, `code` is 1 and `vectors` has its factor.
};

/// The factors; none without all times but those of `loops`. If the baseline has threads itself, `threads` is what
/// those of X gain over what those of the baseline do.
[[nodiscard]] std::optional<Speedup> speedup_of(const SpeedupTimes& times);

/// The times of a run of CUDA and of what it is compared with, medians in milliseconds; 0 = not measured.
struct DeviceTimes {
  double baseline = 0.0;  ///< What the speed-up is over.
  double cpu = 0.0;       ///< The fastest run of openmp on the most threads; 0 as well where that is the baseline.
  double kernels = 0.0;   ///< The computation on the GPU alone.
  double whole = 0.0;     ///< With both transfers, and the allocation where that was measured.
};
/// What a speed-up of CUDA is made of: what the CPU gains with all threads, what the kernels gain over that, and what
/// transfers take away.
struct DeviceSpeedup {
  double cpu = 1.0;        ///< baseline / cpu; 1 without a run of openmp.
  double kernels = 0.0;    ///< cpu / kernels, or baseline / kernels without a run of openmp.
  double transfers = 1.0;  ///< kernels / whole; 1 if transfers were not measured.
  bool has_cpu = false, has_transfers = false;

  [[nodiscard]] double of_kernels() const { return cpu * kernels; }
  [[nodiscard]] double of_whole() const { return cpu * kernels * transfers; }
};
/// The factors; none without the times of the baseline and of the kernels.
[[nodiscard]] std::optional<DeviceSpeedup> device_speedup_of(const DeviceTimes& times);

/// A factor as texts show it: "24.8x".
[[nodiscard]] std::string factor_text(double factor);
/// "1.43x (loops, 1 thread) * 24.8x (method and vectors, 1 thread) * 1.29x (2 threads)"; `threads` is what the last one
/// is called.
[[nodiscard]] std::string product_text(const Speedup& speedup, const std::string& threads);

/// "24.8x (openmp, 16 threads) * 32.7x (kernels alone)"; `cpu` is what the first one is called.
[[nodiscard]] std::string kernels_text(const DeviceSpeedup& speedup, const std::string& cpu);

/// Returns whether a ratio of two medians and the median of the ratios of all pairs of runs differ by more than a
/// tenth. Both are the same for times that scatter around one value. Where other programs take a processor from some
/// runs, times have several values, and neither of the two ratios says what holds for all runs.
[[nodiscard]] bool ratios_differ(double of_medians, double of_pairs);

}  // namespace threadscape::app
