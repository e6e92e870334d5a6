#version 450 core
// Draws a picture with zoom, pan, tone and false colour. render/passes/image_pass.h defines the settings. Two pictures
// are two draws, since a software renderer executes every texture access of a shader, whichever branch is taken.

#include "tiles.glsl"
#include "image_view.glsl"
#include "colour_map.glsl"

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform PICTURE image;  // bilinear
uniform bool grey;                          // whether the picture has one channel
uniform ivec2 extent;                       // size of the picture within the texture
uniform bool exact;                         // whether every view pixel shows exactly one image pixel
uniform bool smooth_magnify;

uniform float gain;
uniform float offset;
uniform float inverse_gamma;
uniform int map;
uniform bool checker;

// Maximum number of taps per axis. A tap of the area filter covers two texels, so the filter is exact down to a zoom of
// about 1/15; below that the taps are spread out. The cost does not grow with the picture, which keeps the window
// responsive on a software renderer.
const int max_taps = 8;

// Tap k of the box lo..hi along one axis: its position in texels and its weight. One bilinear fetch averages two texels
// by their shares of the box.
vec2 tap(int k, float lo, float hi, float size) {
  float first = floor(lo);
  if (hi - first > float(2 * max_taps)) {
    float between = floor(lo + (float(k) + 0.5) * (hi - lo) / float(max_taps) + 0.5);  // two texels with equal weights
    return vec2(clamp(between, 1.0, size - 1.0), 1.0);
  }
  float texel = first + 2.0 * float(k);
  float here = min(hi, texel + 1.0) - max(lo, texel);
  float next = max(min(hi, texel + 2.0) - (texel + 1.0), 0.0);
  return vec2(texel + 0.5 + next / (here + next), here + next);
}

int tap_count(float lo, float hi) { return min(int(ceil((ceil(hi) - floor(lo)) * 0.5)), max_taps); }

// The mean over the area of one view pixel around `at`, or a single bilinear tap for smooth magnification.
vec4 area(vec2 at) {
  vec2 size = vec2(extent);
  vec2 lo = max(at - 0.5 / zoom, vec2(0.0));
  vec2 hi = min(at + 0.5 / zoom, size);
  int columns = smooth_magnify ? 1 : tap_count(lo.x, hi.x);
  int rows = smooth_magnify ? 1 : tap_count(lo.y, hi.y);
  vec4 sum = vec4(0.0);
  float weight = 0.0;
  for (int j = 0; j < rows; ++j) {
    vec2 y = smooth_magnify ? vec2(min(at.y, size.y - 0.5), 1.0) : tap(j, lo.y, hi.y, size.y);
    for (int i = 0; i < columns; ++i) {
      vec2 x = smooth_magnify ? vec2(min(at.x, size.x - 0.5), 1.0) : tap(i, lo.x, hi.x, size.x);
      sum += x.y * y.y * filtered(image, vec2(x.x, y.x));
      weight += x.y * y.y;
    }
  }
  return sum / weight;
}

vec3 shown(vec4 value, vec2 place) {
  if (any(isnan(value))) return not_a_number;
  vec3 rgb = value.rgb;
  if (map != map_none) rgb = vec3(grey ? rgb.r : dot(rgb, vec3(0.299, 0.587, 0.114)));
  rgb = max(rgb * gain + offset, 0.0);
  if (inverse_gamma != 1.0) rgb = pow(rgb, vec3(inverse_gamma));
  if (map != map_none) rgb = colour_of(rgb.r, map);
  if (checker) {
    bool dark = ((int(place.x) ^ int(place.y)) & 8) != 0;
    rgb = mix(vec3(dark ? 0.35 : 0.55), clamp(rgb, 0.0, 1.0), clamp(value.a, 0.0, 1.0));
  }
  return rgb;
}

void main() {
  vec2 place = view_place();
  vec2 at = (place - origin) / zoom;
  bool hit = inside(at, extent);
  vec3 rgb = background.rgb;
  if (hit) rgb = shown(widen(exact ? texel(image, ivec2(floor(at))) : area(at), grey), place);
  colour = vec4(with_lines(rgb, place, at, hit), 1.0);
}
