#pragma once
// At which resolution a volume is drawn without a GPU, where the time of a picture depends on what rays meet: empty
// space is crossed in a few steps, noise takes many times as long.

#include <algorithm>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>

namespace threadscape::app {

/// Chooses the resolution of each picture by the times of those before, so that the window stays fluid while the volume
/// turns or changes, and the picture becomes as fine as time allows when it rests.
class RayPace {
 public:
  /// Milliseconds that a picture may take when nothing changes, and while something does.
  static constexpr double budget_at_rest_ms = 80.0, budget_in_motion_ms = 40.0;
  /// The sides of the view are divided by 2 to 16. Contents of which nothing is known begin with 8.
  static constexpr int min_divisor = 2, first_divisor = 8, max_divisor = 16;
  /// Pictures of the same contents that are drawn after the first one to find the divisor. There is a limit because
  /// times vary: with it the window comes to rest.
  static constexpr int max_refinements = 5;
  /// The divisor of the picture before is kept for a picture that takes up to this many times the budget, so that the
  /// resolution does not alternate.
  static constexpr double hysteresis = 1.5;

  /// What differs from the picture before.
  enum class Change : std::uint8_t {
    nothing,
    looks,    ///< Camera, settings, size or values: a ray takes about as long as before.
    contents  ///< Another volume: how long a ray takes is not known.
  };

  /// Returns the divisor of the next picture of a view of `size` pixels.
  [[nodiscard]] int next(glm::ivec2 size, Change change) {
    if (change == Change::contents) ms_per_ray_.reset();
    refinements_ = change == Change::nothing ? refinements_ + 1 : 0;
    divisor_ = divisor_for(size, change == Change::nothing ? budget_at_rest_ms : budget_in_motion_ms);
    return divisor_;
  }
  /// Takes note that the picture of the last next() had `rays` pixels and took `ms` milliseconds.
  void measured(double ms, std::int64_t rays) {
    ms_per_ray_ = ms / static_cast<double>(std::max<std::int64_t>(rays, 1));
  }
  /// Returns whether the picture would be drawn at another resolution if it were drawn again.
  [[nodiscard]] bool refines(glm::ivec2 size) const {
    return refinements_ < max_refinements && divisor_for(size, budget_at_rest_ms) != divisor_;
  }

  /// Sides of the picture by which a view of `size` pixels is drawn.
  [[nodiscard]] static glm::ivec2 divided(glm::ivec2 size, int divisor) {
    return {std::max(size.x / divisor, 1), std::max(size.y / divisor, 1)};
  }

 private:
  [[nodiscard]] int divisor_for(glm::ivec2 size, double budget_ms) const {
    if (!ms_per_ray_) return first_divisor;
    for (int divisor = min_divisor; divisor < max_divisor; ++divisor) {
      const glm::ivec2 drawn = divided(size, divisor);
      const double ms = *ms_per_ray_ * drawn.x * drawn.y;
      if (ms <= budget_ms * (divisor == divisor_ ? hysteresis : 1.0)) return divisor;
    }
    return max_divisor;
  }

  std::optional<double> ms_per_ray_;
  int divisor_ = first_divisor;
  int refinements_ = 0;
};

}  // namespace threadscape::app
