#version 450 core
// Computes the similarity of two pictures of the same size in tiles of 16 x 16 pixels: the sum of the squared
// differences over red, green and blue, and the sum of the structural similarity of the luma (Wang, Bovik, Sheikh,
// Simoncelli 2004: a Gaussian window of 11 x 11 with sigma 1.5, K1 0.01, K2 0.03) over the pixels whose window is
// inside of the picture. render/passes/statistics_pass.h sums up the tiles.

layout(local_size_x = 16, local_size_y = 16) in;

#include "tiles.glsl"

layout(binding = 0) uniform PICTURE image_a;
layout(binding = 1) uniform PICTURE image_b;
uniform bool grey_a;
uniform bool grey_b;
uniform int first_tile_row;

// The sum of squared differences and the sum of similarities of each tile.
layout(std430, binding = 0) writeonly buffer Tiles { vec2 tiles[]; };

const int radius = 5;
const int side = 16 + 2 * radius;
const float weight[11] = float[](0.0010283801, 0.0075987581, 0.0360007721, 0.1093606895, 0.2130055377, 0.2660117249,
                                 0.2130055377, 0.1093606895, 0.0360007721, 0.0075987581, 0.0010283801);
const float c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;

shared vec2 luma[side * side];
shared vec4 row_sums[side * 16];  // weighted sums along x of a, b, a * a and b * b
shared float row_products[side * 16];
shared vec2 partial[256];

vec3 colour(PICTURE image, ivec2 at, bool grey) {
  vec4 value = texel(image, at);
  return grey ? value.rrr : value.rgb;
}

void main() {
  ivec2 size = size_of(image_a);
  ivec2 tile = ivec2(gl_WorkGroupID.xy) + ivec2(0, first_tile_row);
  ivec2 first = tile * 16 - radius;
  int index = int(gl_LocalInvocationIndex);

  float squares = 0.0;
  for (int i = index; i < side * side; i += 256) {
    ivec2 offset = ivec2(i % side, i / side);
    ivec2 at = first + offset;
    vec2 both = vec2(0.0);
    if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size))) {
      vec3 a = colour(image_a, at, grey_a), b = colour(image_b, at, grey_b);
      both = vec2(dot(a, vec3(0.299, 0.587, 0.114)), dot(b, vec3(0.299, 0.587, 0.114)));
      bool own = all(greaterThanEqual(offset, ivec2(radius))) && all(lessThan(offset, ivec2(radius + 16)));
      if (own) squares += dot(a - b, a - b);
    }
    luma[i] = both;
  }
  barrier();

  for (int i = index; i < side * 16; i += 256) {
    int y = i / 16, x = i % 16;
    vec4 sum = vec4(0.0);
    float product = 0.0;
    for (int k = 0; k < 11; ++k) {
      vec2 v = luma[y * side + x + k];
      sum += weight[k] * vec4(v, v * v);
      product += weight[k] * v.x * v.y;
    }
    row_sums[i] = sum;
    row_products[i] = product;
  }
  barrier();

  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  ivec2 at = tile * 16 + local;
  float similarity = 0.0;
  if (all(greaterThanEqual(at, ivec2(radius))) && all(lessThan(at, size - radius))) {
    vec4 sum = vec4(0.0);
    float product = 0.0;
    for (int k = 0; k < 11; ++k) {
      sum += weight[k] * row_sums[(local.y + k) * 16 + local.x];
      product += weight[k] * row_products[(local.y + k) * 16 + local.x];
    }
    vec2 mean = sum.xy;
    vec2 variance = sum.zw - mean * mean;
    float covariance = product - mean.x * mean.y;
    similarity = (2.0 * mean.x * mean.y + c1) * (2.0 * covariance + c2) /
                 ((dot(mean, mean) + c1) * (variance.x + variance.y + c2));
  }
  partial[index] = vec2(squares, similarity);
  barrier();
  for (int half_width = 128; half_width > 0; half_width /= 2) {
    if (index < half_width) partial[index] += partial[index + half_width];
    barrier();
  }
  if (index == 0) tiles[tile.y * int(gl_NumWorkGroups.x) + tile.x] = partial[0];
}
