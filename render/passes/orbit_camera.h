#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

namespace threadscape::render {

/// A camera that looks at a point from a direction; z is up. Angles in degrees: azimuth 0 looks from -y, 90 from +x.
struct OrbitCamera {
  float azimuth = 0.0f, elevation = 0.0f;
  float distance = 1.0f;  ///< of the eye from the target
  glm::vec3 target{0.0f};
  float fov = 32.0f;  ///< from top to bottom

  [[nodiscard]] glm::vec3 forward() const;
  [[nodiscard]] glm::vec3 right() const;
  [[nodiscard]] glm::vec3 upward() const;
  [[nodiscard]] glm::vec3 eye() const { return target - distance * forward(); }
  /// Half the height of what is seen at distance 1.
  [[nodiscard]] float half_height() const;
  [[nodiscard]] float near() const { return 0.01f * distance; }
  [[nodiscard]] glm::mat4 clip(glm::ivec2 view) const;
  /// Pixels from the view's top left corner, and in z the distance along the view; z <= 0: behind the eye.
  [[nodiscard]] glm::vec3 project(glm::vec3 point, glm::ivec2 view) const;
  /// Unit vector from the eye through a pixel.
  [[nodiscard]] glm::vec3 through(glm::vec2 pixel, glm::ivec2 view) const;
  /// Moves along its direction, and the target sideways, until all points just fit into the view.
  void fit(std::span<const glm::vec3> points, glm::ivec2 view);
};

}  // namespace threadscape::render
