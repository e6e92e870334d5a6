#version 450 core
// Computes the light that arrives at a terrain, for the texels of a map over it: the fraction of the sunlight (1 if the
// sun is visible, with soft shadow edges) and the fraction of the skylight.

layout(local_size_x = 8, local_size_y = 8) in;

#include "tiles.glsl"
#include "terrain.glsl"

layout(binding = 0, rgba8) writeonly uniform image2D light_map;

uniform ivec2 map_size;
uniform int first_row;
uniform int rows;
uniform vec3 sun;

const int sun_steps = 28;
const int sky_directions = 6;
const int sky_steps = 4;

// The fraction of the sunlight, from the minimum distance of the ray to the sun from the ground, in widths of the sun's
// penumbra.
float sunlight(vec2 ground, float height) {
  vec2 along = length(sun.xz) > 1e-4 ? normalize(sun.xz) : vec2(1.0, 0.0);
  float rise = sun.y / max(length(sun.xz), 1e-4);
  float open = 1.0;
  float way = 1.5 * cell_size();
  float growth = pow(1.0 / max(way, 1e-4), 1.0 / float(sun_steps));
  for (int i = 0; i < sun_steps; ++i) {
    vec2 at = ground + along * way;
    if (any(greaterThan(abs(at), vec2(0.5))) || height + rise * way > relief) break;
    float above = height + rise * way - world_height(cell_at(at));
    open = min(open, 0.5 + above / (0.035 * way + 0.0012));
    way *= growth;
  }
  return smoothstep(0.0, 1.0, open);
}

float open_sky(vec2 ground, float height) {
  float sum = 0.0;
  for (int k = 0; k < sky_directions; ++k) {
    float turn = (float(k) + 0.5) * 6.2831853 / float(sky_directions);
    vec2 along = vec2(cos(turn), sin(turn));
    float horizon = 0.0, way = 0.007;
    for (int i = 0; i < sky_steps; ++i) {
      float above = world_height(cell_at(clamp(ground + along * way, vec2(-0.5), vec2(0.5)))) - height;
      horizon = max(horizon, above / way);
      way *= 2.3;
    }
    sum += 1.0 - horizon / sqrt(1.0 + horizon * horizon);
  }
  return sum / float(sky_directions);
}

void main() {
  ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
  if (texel.x >= map_size.x || texel.y >= rows) return;
  texel.y += first_row;
  if (texel.y >= map_size.y) return;
  vec2 cell = (vec2(texel) + 0.5) / vec2(map_size) * vec2(points) - 0.5;
  vec2 ground = ground_at(cell);
  float height = world_height(cell);
  imageStore(light_map, texel, vec4(sunlight(ground, height + 0.0006), open_sky(ground, height), 0.0, 1.0));
}
