#version 450 core
// Counts the pixels at each of 256 levels in rows first_row .. first_row + rows - 1 of a picture, for red, green, blue
// and luma; pictures with one channel count as grey in all four. The levels divide 0..1 or, if `ranged`, the range that
// value_range.comp computed. render/passes/statistics_pass.h reads the counts.

layout(local_size_x = 16, local_size_y = 16) in;

#include "tiles.glsl"
#include "ordered.glsl"

layout(binding = 0) uniform PICTURE image;
uniform bool grey;
uniform bool ranged;
uniform int first_row;
uniform int rows;

layout(std430, binding = 0) buffer Counts { uint counts[4 * 256]; };
layout(std430, binding = 1) readonly buffer Range { uint lowest, highest; };

shared uint own[4 * 256];

const int pixels_per_invocation = 16;  // in a row, the width of a work group apart

uint level(float value) { return uint(clamp(value, 0.0, 1.0) * 255.0 + 0.5); }

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 4 * 256; i += 256) own[i] = 0;
  barrier();

  float low = ranged ? from_ordered(lowest) : 0.0, high = ranged ? from_ordered(highest) : 1.0;
  float scale = high > low ? 1.0 / (high - low) : 1.0;
  ivec2 size = size_of(image);
  int y = first_row + int(gl_GlobalInvocationID.y);
  int x = int(gl_WorkGroupID.x) * 16 * pixels_per_invocation + int(gl_LocalInvocationID.x);
  for (int i = 0; i < pixels_per_invocation; ++i, x += 16) {
    if (x >= size.x || int(gl_GlobalInvocationID.y) >= rows || y >= size.y) continue;
    vec4 value = texel(image, ivec2(x, y));
    if (grey) value = value.rrrr;
    if (any(isnan(value.rgb))) continue;
    value = (value - low) * scale;
    uvec3 rgb = uvec3(level(value.r), level(value.g), level(value.b));
    atomicAdd(own[rgb.r], 1);
    atomicAdd(own[256 + rgb.g], 1);
    atomicAdd(own[512 + rgb.b], 1);
    atomicAdd(own[768 + level(dot(value.rgb, vec3(0.299, 0.587, 0.114)))], 1);
  }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 4 * 256; i += 256)
    if (own[i] != 0) atomicAdd(counts[i], own[i]);
}
