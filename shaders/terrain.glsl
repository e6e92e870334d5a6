// What all shaders of a terrain share, after tiles.glsl: where a point of the heightmap lies in the world, as
// render/passes/terrain_settings.h says.

layout(binding = 0) uniform PICTURE heights;
layout(std140, binding = 0) uniform Range { vec4 bounds; };  // lowest and highest height of all
uniform ivec2 points;                                        // of the heightmap
uniform float relief;                                        // world length of the range of heights
uniform float least_step;  // cells from the middle to either side for a slope: 8-bit heights come in steps

float cell_size() { return 1.0 / float(max(max(points.x, points.y) - 1, 1)); }

float vertical_scale() { return bounds.y > bounds.x ? relief / (bounds.y - bounds.x) : 0.0; }

// `cell` counts points from the north-western corner.
vec2 ground_at(vec2 cell) { return (cell - vec2(points - 1) * 0.5) * cell_size(); }
vec2 cell_at(vec2 ground) { return ground / cell_size() + vec2(points - 1) * 0.5; }

float height_at(vec2 cell) { return filtered(heights, cell + 0.5).r; }  // bilinear where the sampler is

float world_height(vec2 cell) { return (height_at(cell) - bounds.x) * vertical_scale(); }

// Unit normal of the surface, from differences over `reach` cells to either side; one-sided at the rim.
vec3 normal_at(vec2 cell, float reach) {
  vec2 low = max(cell - reach, vec2(0.0)), high = min(cell + reach, vec2(points - 1));
  float east = height_at(vec2(high.x, cell.y)) - height_at(vec2(low.x, cell.y));
  float south = height_at(vec2(cell.x, high.y)) - height_at(vec2(cell.x, low.y));
  vec2 slope = vec2(east, south) * vertical_scale() / (max(high - low, 1e-6) * cell_size());
  return normalize(vec3(-slope.x, 1.0, -slope.y));
}
