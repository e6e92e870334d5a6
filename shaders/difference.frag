#version 450 core
// Draws the difference of two pictures with zoom and pan. render/passes/image_pass.h defines the settings.

#include "tiles.glsl"
#include "image_view.glsl"
#include "colour_map.glsl"

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform PICTURE image_a;
layout(binding = 1) uniform PICTURE image_b;
uniform bool grey_a;  // whether the picture has one channel
uniform bool grey_b;
uniform float gain;
uniform int map;

// Maximum number of texels per axis and view pixel. At smaller zooms texels are skipped, so that the cost does not grow
// with the picture.
const int max_texels = 16;

// The maximum difference within one view pixel: a single wrong pixel has to stay visible when the picture is small.
vec4 difference(vec2 at, ivec2 size) {
  vec2 half_box = vec2(zoom < 1.0 ? 0.5 / zoom : 0.0);
  ivec2 lo = clamp(ivec2(floor(at - half_box)), ivec2(0), size - 1);
  ivec2 hi = clamp(ivec2(ceil(at + half_box)) - 1, lo, size - 1);
  ivec2 stride = (hi - lo) / max_texels + 1;
  vec4 largest = vec4(0.0);
  for (int y = lo.y; y <= hi.y; y += stride.y)
    for (int x = lo.x; x <= hi.x; x += stride.x) {
      vec4 a = widen(texel(image_a, ivec2(x, y)), grey_a);
      vec4 b = widen(texel(image_b, ivec2(x, y)), grey_b);
      if (any(isnan(a - b))) return a - b;
      largest = max(largest, abs(a - b));
    }
  return largest;
}

vec3 shown(vec4 value) {
  if (any(isnan(value))) return not_a_number;
  if (map == map_none) return max(value.rgb, vec3(value.a)) * gain;
  float largest = max(max(value.r, value.g), max(value.b, value.a));
  return largest == 0.0 ? vec3(0.0) : colour_of(largest * gain, map);
}

void main() {
  vec2 place = view_place();
  vec2 at = (place - origin) / zoom;
  ivec2 size = min(size_of(image_a), size_of(image_b));
  bool hit = inside(at, size);
  vec3 rgb = hit ? shown(difference(at, size)) : background.rgb;
  colour = vec4(with_lines(rgb, place, at, hit), 1.0);
}
