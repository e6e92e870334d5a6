// The world coordinates of points of a heightmap, for all shaders of a terrain; render/passes/terrain_settings.h
// defines them. Include it after tiles.glsl.

layout(binding = 0) uniform PICTURE heights;
layout(std140, binding = 0) uniform Range { vec4 bounds; };  // x, y: minimum and maximum height
uniform ivec2 points;                                        // number of points of the heightmap along each axis
uniform float relief;                                        // world length of the range of heights
uniform float min_step;  // minimum distance in cells for slopes, larger for 8-bit heights, which come in steps

float cell_size() { return 1.0 / float(max(max(points.x, points.y) - 1, 1)); }

float vertical_scale() { return bounds.y > bounds.x ? relief / (bounds.y - bounds.x) : 0.0; }

// `cell` counts points from the north-western corner.
vec2 ground_at(vec2 cell) { return (cell - vec2(points - 1) * 0.5) * cell_size(); }
vec2 cell_at(vec2 ground) { return ground / cell_size() + vec2(points - 1) * 0.5; }

// Bilinear where the sampler is. Holes (NaN) are as low as the lowest height.
float height_at(vec2 cell) {
  float height = filtered(heights, cell + 0.5).r;
  return isnan(height) ? bounds.x : height;
}

float world_height(vec2 cell) { return (height_at(cell) - bounds.x) * vertical_scale(); }

// The unit normal of the surface, from differences over `reach` cells to either side, which are one-sided at the rim.
vec3 normal_at(vec2 cell, float reach) {
  vec2 low = max(cell - reach, vec2(0.0)), high = min(cell + reach, vec2(points - 1));
  float east = height_at(vec2(high.x, cell.y)) - height_at(vec2(low.x, cell.y));
  float south = height_at(vec2(cell.x, high.y)) - height_at(vec2(cell.x, low.y));
  vec2 slope = vec2(east, south) * vertical_scale() / (max(high - low, 1e-6) * cell_size());
  return normalize(vec3(-slope.x, 1.0, -slope.y));
}
