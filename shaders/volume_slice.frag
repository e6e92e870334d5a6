#version 450 core
// Draws a plane through a volume as a picture: a projection, a sinogram, a slice, or the difference of two slices.

#include "colour_map.glsl"
#include "volume_tone.glsl"

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform sampler3D voxels;
layout(binding = 1) uniform sampler3D subtracted;  // a volume of the same size
uniform bool difference;
uniform ivec2 viewport;       // lower left corner of the viewport in pixels
uniform ivec2 viewport_size;  // size of the viewport in pixels
uniform vec2 corner, extent;  // top left corner and size of the picture in pixels of the viewport, y down
uniform vec3 origin, across, down;  // texture coordinates of the top left corner of the picture, and its sides
uniform vec4 background;

const int max_taps = 4;

void main() {
  vec2 place = gl_FragCoord.xy - vec2(viewport);
  place.y = float(viewport_size.y) - place.y;
  vec2 at = (place - corner) / extent;
  colour = background;
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(1.0)))) return;

  // Where the picture is reduced, the mean over the area of the pixel is taken.
  vec3 size = vec3(textureSize(voxels, 0));
  vec2 texels = vec2(length(across * size), length(down * size)) / extent;
  ivec2 taps = clamp(ivec2(ceil(texels - 0.01)), ivec2(1), ivec2(max_taps));
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
