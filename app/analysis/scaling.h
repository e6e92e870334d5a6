#pragma once
// Models of how times depend on the number of threads and on the size of the input.

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/samples.h"

namespace threadscape::app {

/// A time that was measured with a number of threads.
struct ThreadPoint {
  double threads = 1.0;
  double milliseconds = 0.0;
  double items = 0.0;                ///< Pixels, voxels or values of the input; only weak scaling uses them.
  std::vector<double> samples = {};  ///< The samples whose median `milliseconds` is; empty if they are not known.
};

/// The law of Amdahl for a fixed input: T(p) = T(1) * (s + (1 - s) / p), where s is the serial fraction.
struct AmdahlFit {
  double serial_fraction = 0.0;  ///< May be below zero by noise, or where more threads have more cache.
  double standard_error = 0.0;   ///< Standard error of the serial fraction.
  Interval interval = {};        ///< 95 % confidence interval of the serial fraction by Student's t, cut to 0..1.
  double one_thread_ms = 0.0;    ///< T(1) of the fitted curve.
  [[nodiscard]] double milliseconds(double threads) const;
  [[nodiscard]] double speed_up(double threads) const { return one_thread_ms / milliseconds(threads); }
  /// The speed-up that no number of threads exceeds: 1 / s; infinity if s is not positive.
  [[nodiscard]] double max_speed_up() const;
};
/// Fits the law by weighted least squares, where all times have the same relative error. Returns nothing for fewer than
/// three different numbers of threads, because two determine the curve without leaving an error to estimate.
[[nodiscard]] std::optional<AmdahlFit> fit_amdahl(const std::vector<ThreadPoint>& points);

/// The law of Gustafson for an input that grows with the number of threads: the scaled speed-up is p + s * (1 - p).
struct GustafsonFit {
  double serial_fraction = 0.0, standard_error = 0.0;
  Interval interval = {};  ///< 95 % confidence interval of the serial fraction by Student's t, cut to 0..1.
  [[nodiscard]] double speed_up(double threads) const { return threads + serial_fraction * (1.0 - threads); }
};
/// The speed-up of every point over the first point with one thread, in items per second; empty if there is none.
[[nodiscard]] std::vector<double> scaled_speed_ups(const std::vector<ThreadPoint>& points);
/// Fits the law to the scaled speed-ups by least squares on their distance from p, relative to p. Returns nothing for
/// fewer than two points with more than one thread, or without a point with one thread.
[[nodiscard]] std::optional<GustafsonFit> fit_gustafson(const std::vector<ThreadPoint>& points);

/// A measured curve over positive x, ascending in x.
struct Curve {
  std::vector<double> x, y;
};
/// A place where two curves cross.
struct CrossOver {
  double x = 0.0, y = 0.0;
  bool first_is_lower_beyond = false;  ///< If true, the first curve is the lower one on the right of the place.
};
/// The places where two curves cross, each curve interpolated linearly between its points with both axes logarithmic,
/// in the range of x that both have. Curves that touch without crossing give none.
[[nodiscard]] std::vector<CrossOver> cross_overs(const Curve& first, const Curve& second);

}  // namespace threadscape::app
