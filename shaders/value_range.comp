#version 450 core
// Extends the range in the buffer by the minimum and the maximum value in rows first_row .. first_row + rows - 1 of a
// picture with one channel; NaN is left out. The range is encoded by ordered.glsl.

layout(local_size_x = 16, local_size_y = 16) in;

#include "tiles.glsl"
#include "ordered.glsl"

layout(binding = 0) uniform PICTURE image;
uniform int first_row;
uniform int rows;

layout(std430, binding = 1) buffer Range { uint lowest, highest; };

shared uint own_lowest, own_highest;

const int pixels_per_invocation = 16;  // in a row, the width of a work group apart

void main() {
  if (gl_LocalInvocationIndex == 0) {
    own_lowest = 0xffffffffu;
    own_highest = 0u;
  }
  barrier();
  ivec2 size = size_of(image);
  int y = first_row + int(gl_GlobalInvocationID.y);
  int x = int(gl_WorkGroupID.x) * 16 * pixels_per_invocation + int(gl_LocalInvocationID.x);
  uint low = 0xffffffffu, high = 0u;
  for (int i = 0; i < pixels_per_invocation; ++i, x += 16) {
    if (x >= size.x || int(gl_GlobalInvocationID.y) >= rows || y >= size.y) continue;
    float value = texel(image, ivec2(x, y)).r;
    if (isnan(value)) continue;
    uint key = to_ordered(value);
    low = min(low, key);
    high = max(high, key);
  }
  if (low <= high) {
    atomicMin(own_lowest, low);
    atomicMax(own_highest, high);
  }
  barrier();
  if (gl_LocalInvocationIndex > 0 || own_lowest > own_highest) return;
  atomicMin(lowest, own_lowest);
  atomicMax(highest, own_highest);
}
