#version 450 core
// Draws the values along a line through a volume as a curve. The bottom and the top of the viewport are the ends of the
// window of values.

#include "colour_map.glsl"
#include "volume_tone.glsl"

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform sampler3D voxels;
uniform ivec2 viewport, viewport_size;
uniform float first, per_pixel;  // position (0..1 along the line) of the left edge, and its increase per pixel
uniform vec3 origin, across;     // texture coordinates of the start of the line, and vector to its end
uniform float weight;            // width of the curve in pixels
uniform vec4 ink;

const int taps = 5;

float height_at(float place) {
  float level = level_of(texture(voxels, origin + clamp(place, 0.0, 1.0) * across).r);
  return level * (float(viewport_size.y) - 2.0 * weight) + weight;
}

void main() {
  vec2 at = gl_FragCoord.xy - vec2(viewport);
  float place = first + at.x * per_pixel;
  if (place < 0.0 || place > 1.0) discard;
  // The range of the curve within one pixel to either side, so that steep parts are drawn as strokes.
  float low = 1e9, high = -1e9;
  for (int i = 0; i < taps; ++i) {
    float y = height_at(place + (float(i) / float(taps - 1) - 0.5) * per_pixel);
    low = min(low, y);
    high = max(high, y);
  }
  float off = max(max(low - at.y, at.y - high), 0.0);
  float line = clamp(0.5 * weight + 0.5 - off, 0.0, 1.0);
  float below = at.y < low ? 0.13 : 0.0;
  colour = vec4(ink.rgb, ink.a * max(line, below));
}
