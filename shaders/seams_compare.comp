#version 450 core
// Draws a picture, and three ways to change its size, side by side: carved, scaled (by the mean over the area of each
// pixel) and cropped around the centre.

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D original;
layout(binding = 1) uniform sampler2D carved;
layout(binding = 0, rgba8) uniform writeonly image2D composed;

uniform bool grey;       // whether the original has one channel
uniform ivec2 size;      // size of the original
uniform ivec2 extent;    // size of each result
uniform int gap;         // number of columns between the pictures
uniform vec3 background;

vec3 original_at(ivec2 at) {
  vec4 value = texelFetch(original, clamp(at, ivec2(0), size - 1), 0);
  return grey ? value.rrr : value.rgb;
}

// The length of a pixel within lo..hi along one axis.
float overlap(float lo, float hi, int pixel) { return max(min(hi, float(pixel + 1)) - max(lo, float(pixel)), 0.0); }

vec3 scaled(ivec2 at) {
  vec2 ratio = vec2(size) / vec2(extent);
  vec2 lo = vec2(at) * ratio, hi = lo + ratio;
  // Where the picture is enlarged the area is one pixel around the same centre, which interpolates linearly.
  vec2 middle = 0.5 * (lo + hi), reach = max(0.5 * ratio, vec2(0.5));
  lo = middle - reach;
  hi = middle + reach;
  vec3 sum = vec3(0.0);
  float weight = 0.0;
  for (int y = int(floor(lo.y)); float(y) < hi.y; ++y)
    for (int x = int(floor(lo.x)); float(x) < hi.x; ++x) {
      float share = overlap(lo.x, hi.x, x) * overlap(lo.y, hi.y, y);
      sum += share * original_at(ivec2(x, y));
      weight += share;
    }
  return sum / weight;
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  int stride = extent.x + gap, first = size.x + gap;  // The results begin at column `first`.
  if (any(greaterThanEqual(at, imageSize(composed)))) return;
  int pane = at.x < first ? 0 : (at.x - first) / stride;
  ivec2 inner = ivec2(at.x - first - pane * stride, at.y);
  vec3 colour = background;
  if (at.x < first) {
    if (all(lessThan(at, size))) colour = original_at(at);
  } else if (inner.x < extent.x && inner.y < extent.y) {
    if (pane == 0) {
      colour = texelFetch(carved, inner, 0).rgb;
    } else if (pane == 1) {
      colour = scaled(inner);
    } else {
      ivec2 from = inner + (size - extent) / 2;
      bool inside = all(greaterThanEqual(from, ivec2(0))) && all(lessThan(from, size));
      colour = inside ? original_at(from) : background;
    }
  }
  imageStore(composed, at, vec4(colour, 1.0));
}
