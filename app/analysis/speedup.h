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

/// A factor as texts show it: "24.8x".
[[nodiscard]] std::string factor_text(double factor);
/// "1.43x (loops, 1 thread) * 24.8x (method and vectors, 1 thread) * 1.29x (2 threads)"; `threads` is what the last one
/// is called.
[[nodiscard]] std::string product_text(const Speedup& speedup, const std::string& threads);

/// Returns whether a ratio of two medians and the median of the ratios of all pairs of runs differ by more than a
/// tenth. Both are the same for times that scatter around one value. Where other programs take a processor from some
/// runs, times have several values, and neither of the two ratios says what holds for all runs.
[[nodiscard]] bool ratios_differ(double of_medians, double of_pairs);

}  // namespace threadscape::app
