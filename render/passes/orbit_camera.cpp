#include "render/passes/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

namespace threadscape::render {

namespace {

/// The part of the view that fitted points fill.
constexpr float fitted_part = 0.9f;

float aspect_of(glm::ivec2 view) {
  return static_cast<float>(view.x) / static_cast<float>(std::max(view.y, 1));
}

}  // namespace

glm::vec3 OrbitCamera::forward() const {
  const float a = glm::radians(azimuth), e = glm::radians(elevation);
  return {-std::sin(a) * std::cos(e), std::cos(a) * std::cos(e), -std::sin(e)};
}

glm::vec3 OrbitCamera::right() const {
  const float a = glm::radians(azimuth);
  return {std::cos(a), std::sin(a), 0.0f};
}

glm::vec3 OrbitCamera::upward() const {
  return glm::cross(right(), forward());
}

float OrbitCamera::half_height() const {
  return std::tan(glm::radians(fov) * 0.5f);
}

glm::mat4 OrbitCamera::clip(glm::ivec2 view) const {
  return glm::perspective(glm::radians(fov), aspect_of(view), near(), 10000.0f * near()) *
         glm::lookAt(eye(), target, upward());
}

glm::vec3 OrbitCamera::project(glm::vec3 point, glm::ivec2 view) const {
  const glm::vec3 way = point - eye();
  const float depth = glm::dot(way, forward());
  const float scale = 0.5f * static_cast<float>(view.y) / (half_height() * std::max(depth, 1e-6f));
  return {0.5f * static_cast<float>(view.x) + glm::dot(way, right()) * scale,
          0.5f * static_cast<float>(view.y) - glm::dot(way, upward()) * scale, depth};
}

glm::vec3 OrbitCamera::through(glm::vec2 pixel, glm::ivec2 view) const {
  const glm::vec2 place = (pixel / glm::vec2(view) * 2.0f - 1.0f) * half_height();
  return glm::normalize(forward() + place.x * aspect_of(view) * right() - place.y * upward());
}

void OrbitCamera::fit(std::span<const glm::vec3> points, glm::ivec2 view) {
  if (points.empty()) return;
  const float half = half_height(), aspect = aspect_of(view);
  // The fit is iterative, since the picture of near points grows faster than that of far ones.
  for (int round = 0; round < 24; ++round) {
    glm::vec2 low{1e30f}, high{-1e30f};
    float nearest = 1e30f;
    for (const glm::vec3& point : points) {
      const glm::vec3 way = point - eye();
      const float depth = glm::dot(way, forward());
      nearest = std::min(nearest, depth);
      const float reach = std::max(depth, 0.05f * distance) * half;
      const glm::vec2 at{glm::dot(way, right()) / (reach * aspect), glm::dot(way, upward()) / reach};
      low = glm::min(low, at);
      high = glm::max(high, at);
    }
    const glm::vec2 middle = (low + high) * 0.5f * half * distance;
    target += right() * middle.x * aspect + upward() * middle.y;
    const glm::vec2 extent = (high - low) * 0.5f;
    float factor = std::sqrt(std::max(extent.x, extent.y) / fitted_part);
    if (nearest < 0.1f * distance) factor = std::max(factor, 1.3f);
    distance *= std::clamp(factor, 0.5f, 2.0f);
  }
}

}  // namespace threadscape::render
