#pragma once
// How many triangles of a terrain are drawn without a GPU, where the time of a picture grows with their number and with
// that of pixels.

#include <algorithm>
#include <cstdint>

namespace threadscape::app {

/// Chooses the triangles of each picture by the times of those before, so that the window stays fluid while the terrain
/// or the camera moves, and draws the picture that the settings ask for once everything rests.
class TerrainPace {
 public:
  /// Milliseconds that the number of triangles aims at in motion. It is reduced only after a picture that took more
  /// than `slow_ms`, so that it does not follow noise of the times.
  static constexpr double budget_ms = 120.0, slow_ms = 150.0;
  /// Milliseconds without a change after which the complete picture is drawn.
  static constexpr double rest_ms = 250.0;
  /// Limits of the number of triangles in thousands. The first picture has the smallest number. Where it takes too
  /// long, pixels do, and pictures in motion have half of the view's width and height.
  static constexpr int min_thousands = 64, max_thousands = 32000;

  enum class Picture : std::uint8_t {
    same,    ///< The picture before is shown again.
    coarse,  ///< Draw at most thousands() of triangles, and report them to drawn().
    complete
  };

  /// Returns what the next frame shows at `now_ms`. `changed` states whether anything differs from the frame before,
  /// `held` whether a change is likely at once, since a button is held down.
  [[nodiscard]] Picture next(bool changed, bool held, double now_ms) {
    if (changed || held) changed_ms_ = now_ms;
    if (changed) coarse_ = true;
    if (changed) return Picture::coarse;
    if (!coarse_ || now_ms - changed_ms_ < rest_ms) return Picture::same;
    coarse_ = false;
    if (divisor_ > 1) thousands_ = min_thousands;  // The next motion finds out whether all pixels fit.
    return Picture::complete;
  }
  /// Maximum number of triangles of a coarse picture, in thousands.
  [[nodiscard]] int thousands() const { return thousands_; }
  /// The number by which the sides of the view are divided for a coarse picture, 1 or 2.
  [[nodiscard]] int divisor() const { return divisor_; }
  /// Takes note that the coarse picture of the last next() had `triangles` and took `ms` milliseconds.
  void drawn(double ms, std::int64_t triangles) {
    if (ms > slow_ms && thousands_ == min_thousands) {
      divisor_ = 2;
      return;
    }
    if (divisor_ == 2 && 4.0 * ms <= budget_ms) {
      divisor_ = 1;
      return;
    }
    const double fit = static_cast<double>(triangles) / 1000.0 * budget_ms / std::max(ms, 1.0);
    // More than twice as many at once could take much longer than these times let expect.
    const double wanted = ms > slow_ms ? fit : std::clamp(fit, 1.0 * thousands_, 2.0 * thousands_);
    thousands_ = static_cast<int>(std::clamp(wanted, 1.0 * min_thousands, 1.0 * max_thousands));
  }
  /// Lets the rest begin at `now_ms`, when the last picture is there, so that slow pictures do not count as a rest.
  void appeared(double now_ms) { changed_ms_ = now_ms; }
  /// Takes note that the last picture is what the settings ask for, whichever next() returned.
  void is_complete() { coarse_ = false; }
  /// Returns whether the last picture is coarser than the settings ask for.
  [[nodiscard]] bool coarse() const { return coarse_; }

 private:
  double changed_ms_ = 0.0;
  int thousands_ = min_thousands;
  int divisor_ = 1;
  bool coarse_ = false;
};

}  // namespace threadscape::app
