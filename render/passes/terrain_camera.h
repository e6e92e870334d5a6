#pragma once
// The camera of a terrain, and its movements.

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/passes/terrain_settings.h"

namespace threadscape::render {

/// The unit vector towards a compass direction (0 north, 90 east) and an elevation above the horizon, in degrees.
[[nodiscard]] glm::vec3 direction(float azimuth, float elevation);

/// The camera of the settings, computed for one picture.
struct TerrainCamera {
  glm::vec3 eye{0.0f};
  glm::vec3 forward{0.0f, 0.0f, -1.0f};
  glm::mat4 view{1.0f}, projection{1.0f};
  bool orthographic = false;
  /// Size in pixels of a length of 1 at the centre of the view: at distance 1, or at any distance in orthographic
  /// views.
  float pixels = 1.0f;
  float nearest = 0.0f;  ///< Depth of the near plane.

  /// `size` is that of the view in pixels. The box from `low` to `high` contains everything that is drawn.
  TerrainCamera(const TerrainSettings& settings, glm::ivec2 size, glm::vec3 low, glm::vec3 high);
  [[nodiscard]] glm::mat4 clip() const { return projection * view; }
  /// Maximum size in pixels, per unit of length, of a short upright line anywhere in the box.
  [[nodiscard]] float upright_pixels(glm::vec3 low, glm::vec3 high) const;
};

// Movements of the camera as changes of settings, whose distance has to be set (with_distance()).

/// Rotates the camera around the target by angles in degrees, without letting the eye go below the ground, at height 0.
void orbit(TerrainSettings& settings, float azimuth, float elevation);
/// Rotates the camera around the eye by angles in degrees.
void look(TerrainSettings& settings, float azimuth, float elevation);
/// Moves the eye and the target to the right, up on the screen and forward, by lengths in sides of the terrain.
void move(TerrainSettings& settings, glm::vec3 by);
/// Moves the eye and the target along the ground by a distance in pixels, so that the terrain follows the mouse.
void pan(TerrainSettings& settings, glm::vec2 pixels, float view_height);
/// The settings with a distance and target that show the whole terrain if the distance is 0, and unchanged otherwise.
/// `aspect` is width / height of the view.
[[nodiscard]] TerrainSettings with_distance(TerrainSettings settings, float aspect);
/// Does what with_distance() does, but so that the whole terrain stays in view during a full turn around its centre.
[[nodiscard]] TerrainSettings for_full_turn(TerrainSettings settings, float aspect);
/// Multiplies the distance by `factor`.
void zoom(TerrainSettings& settings, float factor);
/// Resets the distance and the target so that the whole terrain is shown from the current direction.
void fit(TerrainSettings& settings);

}  // namespace threadscape::render
