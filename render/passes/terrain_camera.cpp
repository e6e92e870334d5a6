#include "render/passes/terrain_camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

namespace threadscape::render {

namespace {

glm::vec3 target_of(const TerrainSettings& s) {
  return {s.target_x, s.target_y, s.target_z};
}

void set_target(TerrainSettings& s, glm::vec3 target) {
  const glm::vec3 kept = glm::clamp(target, glm::vec3(-4.0f), glm::vec3(4.0f));
  s.target_x = kept.x;
  s.target_y = kept.y;
  s.target_z = kept.z;
}

float wrapped(float degrees) {
  degrees = std::fmod(degrees, 360.0f);
  return degrees < 0 ? degrees + 360.0f : degrees;
}

/// The part of the view that a fitted terrain fills.
constexpr float filled_part = 0.94f;

void turn(TerrainSettings& s, float azimuth, float elevation) {
  s.azimuth = wrapped(s.azimuth + azimuth);
  s.elevation = std::clamp(s.elevation + elevation, -89.0f, 89.0f);
}

struct Extent {
  glm::vec2 low{1e30f}, high{-1e30f};
};
/// The bounding rectangle of everything that is drawn, in coordinates that are -1..1 across the view.
Extent picture_of_box(const TerrainSettings& settings, float aspect) {
  const glm::vec3 low{-0.5f, settings.walls ? -wall_depth : 0.0f, -0.5f};
  const glm::vec3 high{0.5f, base_relief * settings.exaggeration, 0.5f};
  const glm::ivec2 size{static_cast<int>(1000.0f * aspect), 1000};
  const glm::mat4 clip = TerrainCamera(settings, size, low, high).clip();
  Extent extent;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec4 at =
        clip * glm::vec4(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z, 1.0f);
    extent.low = glm::min(extent.low, glm::vec2(at) / at.w);
    extent.high = glm::max(extent.high, glm::vec2(at) / at.w);
  }
  return extent;
}

/// A step towards the distance at which `extent`, relative to half of the view, equals `fill`.
void resize(TerrainSettings& settings, float extent) {
  settings.distance = std::clamp(settings.distance * std::sqrt(extent / filled_part), 0.001f, 20.0f);
}

}  // namespace

glm::vec3 direction(float azimuth, float elevation) {
  const float a = glm::radians(azimuth), e = glm::radians(elevation);
  return {std::sin(a) * std::cos(e), std::sin(e), -std::cos(a) * std::cos(e)};
}

TerrainCamera::TerrainCamera(const TerrainSettings& s, glm::ivec2 size, glm::vec3 low, glm::vec3 high) {
  const glm::vec3 back = direction(s.azimuth, s.elevation);
  eye = target_of(s) + back * s.distance;
  forward = -back;
  orthographic = s.projection == Projection::orthographic;
  view = glm::lookAt(eye, target_of(s), glm::vec3(0, 1, 0));

  // The near and the far plane are as close to the box as possible, which gives the best depth precision.
  float closest = 1e30f, farthest = -1e30f;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 at{corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z};
    const float depth = glm::dot(at - eye, forward);
    closest = std::min(closest, depth);
    farthest = std::max(farthest, depth);
  }
  const float aspect = static_cast<float>(size.x) / static_cast<float>(std::max(size.y, 1));
  const float half = std::tan(glm::radians(s.fov) * 0.5f);
  farthest = std::max(farthest, 0.0f) + 0.01f;
  if (orthographic) {
    // Objects at the distance of the target have the same size as in perspective.
    const float height = half * s.distance;
    projection =
        glm::ortho(-height * aspect, height * aspect, -height, height, std::min(closest, 0.0f) - 0.01f, farthest);
    pixels = static_cast<float>(size.y) / (2.0f * height);
  } else {
    // Inside of the box the near plane depends on the distance of the target, the scale of what is looked at.
    nearest = std::max(closest * 0.9f, std::min(s.distance * 0.02f, 2e-3f));
    projection = glm::perspective(glm::radians(s.fov), aspect, nearest, std::max(farthest, nearest * 2.0f));
    pixels = static_cast<float>(size.y) / (2.0f * half);
  }
}

float TerrainCamera::upright_pixels(glm::vec3 low, glm::vec3 high) const {
  const glm::vec3 up(view[1]);
  if (orthographic) return pixels * glm::length(glm::vec2(up));
  // A point (x, y) of depth z that rises by h moves by |z up.xy + (x, y) up.z| h / z^2 on the screen. That length is a
  // convex function of the position and the depth is linear, so length / depth has its maximum, and the depth its
  // minimum, at corners of the box.
  const glm::vec3 middle(view * glm::vec4((low + high) * 0.5f, 1.0f)), half = (high - low) * 0.5f;
  const glm::mat3 sides(glm::vec3(view[0]) * half.x, glm::vec3(view[1]) * half.y, glm::vec3(view[2]) * half.z);
  float length2 = 0.0f, turn2 = 0.0f, depth = 1e30f;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 at = middle + (corner & 1 ? sides[0] : -sides[0]) + (corner & 2 ? sides[1] : -sides[1]) +
                         (corner & 4 ? sides[2] : -sides[2]);
    const glm::vec2 moved = glm::vec2(at) * up.z - glm::vec2(up) * at.z;
    const float here2 = glm::dot(moved, moved), away = std::max(-at.z, nearest);
    length2 = std::max(length2, here2);
    turn2 = std::max(turn2, here2 / (away * away));
    depth = std::min(depth, -at.z);
  }
  return pixels * (depth > nearest ? std::sqrt(turn2) / depth : std::sqrt(length2) / (nearest * nearest));
}

void orbit(TerrainSettings& settings, float azimuth, float elevation) {
  const float before = settings.elevation;
  turn(settings, azimuth, elevation);
  // The eye is never below the ground, as far as it was above.
  const float sine = std::clamp(-settings.target_y / std::max(settings.distance, 1e-3f), -1.0f, 1.0f);
  const float lowest = std::min(glm::degrees(std::asin(sine)) + 1.0f, 89.0f);
  settings.elevation = std::max(settings.elevation, std::min(lowest, before));
}

void look(TerrainSettings& settings, float azimuth, float elevation) {
  const glm::vec3 eye = target_of(settings) + direction(settings.azimuth, settings.elevation) * settings.distance;
  turn(settings, azimuth, elevation);
  set_target(settings, eye - direction(settings.azimuth, settings.elevation) * settings.distance);
}

void move(TerrainSettings& settings, glm::vec3 by) {
  const glm::vec3 forward = -direction(settings.azimuth, settings.elevation);
  const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0)));
  const glm::vec3 up = glm::cross(right, forward);
  set_target(settings, target_of(settings) + right * by.x + up * by.y + forward * by.z);
}

void pan(TerrainSettings& settings, glm::vec2 pixels, float view_height) {
  const float length =
      2.0f * std::tan(glm::radians(settings.fov) * 0.5f) * settings.distance / std::max(view_height, 1.0f);
  const glm::vec3 back = direction(settings.azimuth, settings.elevation);
  const glm::vec3 right = glm::normalize(glm::cross(-back, glm::vec3(0, 1, 0)));
  const glm::vec3 ahead = glm::normalize(glm::vec3(-back.x, 0.0f, -back.z));
  const float foreshortening = std::max(std::abs(back.y), 0.2f);
  set_target(settings, target_of(settings) - right * pixels.x * length + ahead * pixels.y * length / foreshortening);
}

void zoom(TerrainSettings& settings, float factor) {
  settings.distance = std::clamp(settings.distance * factor, 0.001f, 20.0f);
}

TerrainSettings with_distance(TerrainSettings settings, float aspect) {
  if (settings.distance > 0.0f) return settings;
  settings.distance = 3.0f;
  // Iterates until the picture of the box is centred and has the wanted size. resize() takes a square root, which
  // avoids oscillation: near the box its picture grows faster than the distance falls.
  for (int round = 0; round < 12; ++round) {
    const auto [low, high] = picture_of_box(settings, aspect);
    const float half = std::tan(glm::radians(settings.fov) * 0.5f);
    const glm::vec2 middle = (low + high) * 0.5f * half * settings.distance;
    move(settings, {middle.x * aspect, middle.y, 0.0f});
    const glm::vec2 extent = (high - low) * 0.5f;
    resize(settings, std::max(extent.x, extent.y));
  }
  return settings;
}

TerrainSettings for_full_turn(TerrainSettings settings, float aspect) {
  if (settings.distance > 0.0f) return settings;
  const float azimuth = settings.azimuth;
  settings.azimuth = 225.0f;  // the terrain is widest with a corner to the front
  settings.distance = 3.0f;
  set_target(settings, glm::vec3(0.0f));
  for (int round = 0; round < 16; ++round) {
    const auto [low, high] = picture_of_box(settings, aspect);
    const float half = std::tan(glm::radians(settings.fov) * 0.5f);
    const float upright = std::max(std::cos(glm::radians(settings.elevation)), 0.2f);
    settings.target_y += 0.5f * (low.y + high.y) * half * settings.distance / upright;
    const glm::vec2 extent = glm::max(glm::abs(low), glm::abs(high));
    resize(settings, std::max(extent.x, extent.y));
  }
  settings.azimuth = azimuth;
  return settings;
}

void fit(TerrainSettings& settings) {
  const TerrainSettings usual;
  set_target(settings, {usual.target_x, usual.target_y, usual.target_z});
  settings.distance = 0.0f;
}

}  // namespace threadscape::render
