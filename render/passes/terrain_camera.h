#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/passes/terrain_settings.h"

namespace threadscape::render {

/// Unit vector towards a compass direction (0 north, 90 east) and height over the horizon, in degrees.
[[nodiscard]] glm::vec3 direction(float azimuth, float elevation);

/// What the settings say about the camera, worked out for one picture.
struct TerrainCamera {
  glm::vec3 eye{0.0f};
  glm::vec3 forward{0.0f, 0.0f, -1.0f};
  glm::mat4 view{1.0f}, projection{1.0f};
  bool orthographic = false;
  /// Pixels that a length of 1 has in the middle of the view: at distance 1, or at any for orthographic views.
  float pixels = 1.0f;
  float nearest = 0.0f;  ///< depth where the view begins

  /// `size` in pixels; the box holds everything that is drawn.
  TerrainCamera(const TerrainSettings& settings, glm::ivec2 size, glm::vec3 low, glm::vec3 high);
  [[nodiscard]] glm::mat4 clip() const { return projection * view; }
  /// At most so many pixels a short upright line takes on the screen, per length, wherever it stands in the box.
  [[nodiscard]] float upright_pixels(glm::vec3 low, glm::vec3 high) const;
};

// Movements of the camera, as changes of settings with_distance().

/// Turns around the target by degrees.
void orbit(TerrainSettings& settings, float azimuth, float elevation);
/// Looks around from where the eye is, by degrees.
void look(TerrainSettings& settings, float azimuth, float elevation);
/// Moves the eye and the target by so much to the right, up on the screen and forward, in sides.
void move(TerrainSettings& settings, glm::vec3 by);
/// The same along the ground: what was seen under the mouse stays there.
void pan(TerrainSettings& settings, glm::vec2 pixels, float view_height);
/// With a distance where none was chosen; `aspect` is width / height.
[[nodiscard]] TerrainSettings with_distance(TerrainSettings settings, float aspect);
/// The same around the middle of the terrain, for a full turn: from every direction everything is in sight.
[[nodiscard]] TerrainSettings for_full_turn(TerrainSettings settings, float aspect);
/// Distance times `factor`.
void zoom(TerrainSettings& settings, float factor);
/// Everything in sight from the direction that the camera has.
void fit(TerrainSettings& settings);

}  // namespace threadscape::render
