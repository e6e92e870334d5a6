#version 450 core
// A plane through a volume as a picture: a projection, a sinogram, a slice, or the difference of two slices.

#include "colour_map.glsl"
#include "volume_tone.glsl"

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform sampler3D voxels;
layout(binding = 1) uniform sampler3D subtracted;  // of the same size
uniform bool difference;
uniform ivec2 viewport;       // its lower left corner, and
uniform ivec2 viewport_size;  // its size, in pixels
uniform vec2 corner, extent;  // of the picture within the viewport: pixels from the top left corner, y down
uniform vec3 origin, across, down;  // texture coordinates of the picture's top left corner, and its sides
uniform vec4 background;

const int most_taps = 4;

void main() {
  vec2 place = gl_FragCoord.xy - vec2(viewport);
  place.y = float(viewport_size.y) - place.y;
  vec2 at = (place - corner) / extent;
  colour = background;
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(1.0)))) return;

  // The mean over the pixel's area where the picture is made smaller.
  vec3 size = vec3(textureSize(voxels, 0));
  vec2 texels = vec2(length(across * size), length(down * size)) / extent;
  ivec2 taps = clamp(ivec2(ceil(texels - 0.01)), ivec2(1), ivec2(most_taps));
  float sum = 0.0;
  for (int j = 0; j < taps.y; ++j)
    for (int i = 0; i < taps.x; ++i) {
      vec2 off = (vec2(i, j) + 0.5) / vec2(taps) - 0.5;
      vec2 uv = clamp(at + off / extent, vec2(0.0), vec2(1.0));
      vec3 texel = origin + uv.x * across + uv.y * down;
      sum += texture(voxels, texel).r;
      if (difference) sum -= texture(subtracted, texel).r;
    }
  float level = level_of(sum / float(taps.x * taps.y));
  colour = vec4(level == not_computed ? missing(background.rgb, place) : tone(level), 1.0);
}
