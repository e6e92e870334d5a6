#version 450 core
// Draws a picture with zoom, pan, tone and false colour. render/passes/image_pass.h defines the settings. Two pictures
// are two draws, and the program has variants, since a software renderer executes both sides of every branch:
//   TAPS   0: every view pixel shows exactly one image pixel; 1: magnification by linear interpolation; 2 and 8: the
//          mean over the area of a view pixel with so many taps per axis, of which 2 suffice above a zoom of 1/3
//   PLAIN  neither gamma nor false colour nor checkerboard
#ifndef TAPS
#define TAPS 8
#endif

#include "tiles.glsl"
#include "image_view.glsl"
#include "colour_map.glsl"

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform PICTURE image;  // bilinear
uniform bool grey;                          // whether the picture has one channel
uniform ivec2 extent;                       // size of the picture within the texture

uniform float gain;
uniform float offset;
uniform float inverse_gamma;
uniform int map;
uniform bool checker;

#if TAPS == 1
vec4 area(vec2 at) { return filtered(image, min(at, vec2(extent) - 0.5)); }
#elif TAPS == 2
// Two taps along one axis of the box lo..hi, which reaches over at most four texels: xz are their positions in texels,
// yw their weights. One bilinear fetch averages two texels by their shares of the box. A tap of weight 0 is where the
// first one is, so that no value is read that is not shown.
vec4 taps(float lo, float hi) {
  float texel = floor(lo);
  vec4 share = max(min(texel + vec4(1.0, 2.0, 3.0, 4.0), hi) - max(texel + vec4(0.0, 1.0, 2.0, 3.0), lo), 0.0);
  vec2 weight = share.xz + share.yw;
  vec2 place = texel + vec2(0.5, 2.5) + share.yw / weight;
  return vec4(place.x, weight.x, weight.y > 0.0 ? place.y : place.x, weight.y);
}

// The mean over the area of one view pixel around `at`.
vec4 area(vec2 at) {
  vec2 lo = max(at - 0.5 / zoom, vec2(0.0));
  vec2 hi = min(at + 0.5 / zoom, vec2(extent));
  vec4 x = taps(lo.x, hi.x), y = taps(lo.y, hi.y);
  vec4 sum = y.y * (x.y * filtered(image, vec2(x.x, y.x)) + x.w * filtered(image, vec2(x.z, y.x))) +
             y.w * (x.y * filtered(image, vec2(x.x, y.z)) + x.w * filtered(image, vec2(x.z, y.z)));
  return sum / ((x.y + x.w) * (y.y + y.w));
}
#elif TAPS > 2
// A tap of the area filter covers two texels, so the filter is exact down to a zoom of about 1/15; below that the taps are
// spread out. The cost does not grow with the picture, which keeps the window responsive on a software renderer.
const int max_taps = TAPS;

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

// The mean over the area of one view pixel around `at`.
vec4 area(vec2 at) {
  vec2 size = vec2(extent);
  vec2 lo = max(at - 0.5 / zoom, vec2(0.0));
  vec2 hi = min(at + 0.5 / zoom, size);
  int columns = tap_count(lo.x, hi.x);
  int rows = tap_count(lo.y, hi.y);
  vec4 sum = vec4(0.0);
  float weight = 0.0;
  for (int j = 0; j < rows; ++j) {
    vec2 y = tap(j, lo.y, hi.y, size.y);
    for (int i = 0; i < columns; ++i) {
      vec2 x = tap(i, lo.x, hi.x, size.x);
      sum += x.y * y.y * filtered(image, vec2(x.x, y.x));
      weight += x.y * y.y;
    }
  }
  return sum / weight;
}
#endif

vec3 shown(vec4 value, vec2 place) {
  if (any(isnan(value))) return not_a_number;
#ifdef PLAIN
  return max(value.rgb * gain + offset, 0.0);
#else
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
#endif
}

void main() {
  vec2 place = view_place();
  vec2 at = (place - origin) / zoom;
  bool hit = inside(at, extent);
  vec3 rgb = background.rgb;
#if TAPS == 0
  if (hit) rgb = shown(widen(texel(image, ivec2(floor(at))), grey), place);
#else
  if (hit) rgb = shown(widen(area(at), grey), place);
#endif
  colour = vec4(with_lines(rgb, place, at, hit), 1.0);
}
