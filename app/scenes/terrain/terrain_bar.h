#pragma once
// The colour bar of a terrain.

#include <glm/vec3.hpp>
#include <optional>

#include "app/ui/colour_bar.h"
#include "render/passes/terrain_settings.h"

namespace threadscape::app {

/// What the values of a terrain are, for its colour bar.
struct TerrainValues {
  double low = 0.0, high = 1.0;  ///< Minimum and maximum height in the unit of the heightfield.
  int levels = 1;                ///< Number of levels of detail.
};

struct TerrainBar {
  ColourBar bar;
  BarFill fill;
};

/// The colours of the ground before the light, as shaders/terrain_ground.glsl has them, each channel 0..1. Surface
/// hypsometric, for a height in the range of heights 0..1:
[[nodiscard]] glm::vec3 hypsometric_colour(float height, float sea_level);
/// Surface slope, for an angle of 0..1 right angles.
[[nodiscard]] glm::vec3 slope_colour(float steep);
/// Surface aspect, for the direction of a steep slope in turns clockwise from the north.
[[nodiscard]] glm::vec3 aspect_colour(float turn);
/// Surface levels, for a level of detail counted in halves.
[[nodiscard]] glm::vec3 level_colour(int half_levels);

/// The bar of the surface that the settings choose; none where colours are no numbers: of a natural or white surface,
/// normals, and a draped picture.
[[nodiscard]] std::optional<TerrainBar> terrain_bar(const render::TerrainSettings& settings,
                                                    const TerrainValues& values);

}  // namespace threadscape::app
