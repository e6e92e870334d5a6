#pragma once
// The camera of volumes in space.

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

namespace threadscape::render {

/// A camera that looks at a target from a direction; z is up. Angles are in degrees; from azimuth 0 it looks from -y,
/// from azimuth 90 from +x.
struct OrbitCamera {
  float azimuth = 0.0f, elevation = 0.0f;
  float distance = 1.0f;  ///< Distance of the eye from the target.
  glm::vec3 target{0.0f};
  float fov = 32.0f;  ///< Vertical angle of view.

  [[nodiscard]] glm::vec3 forward() const;
  [[nodiscard]] glm::vec3 right() const;
  [[nodiscard]] glm::vec3 upward() const;
  [[nodiscard]] glm::vec3 eye() const { return target - distance * forward(); }
  /// Half of the visible height at distance 1.
  [[nodiscard]] float half_height() const;
  [[nodiscard]] float near() const { return 0.01f * distance; }
  /// The matrix from world to clip coordinates, for a view of this size in pixels.
  [[nodiscard]] glm::mat4 clip(glm::ivec2 view) const;
  /// Position of a point in pixels from the top left corner of the view; z is the depth, which is not positive behind
  /// the eye.
  [[nodiscard]] glm::vec3 project(glm::vec3 point, glm::ivec2 view) const;
  /// The unit vector from the eye through a pixel.
  [[nodiscard]] glm::vec3 through(glm::vec2 pixel, glm::ivec2 view) const;
  /// Changes the distance and moves the target sideways so that all points just fit into the view.
  void fit(std::span<const glm::vec3> points, glm::ivec2 view);
};

}  // namespace threadscape::render
