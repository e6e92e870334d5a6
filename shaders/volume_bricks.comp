#version 450 core
// The least and the largest value of each brick of 8 x 8 x 8 voxels and of what trilinear filtering mixes in from its
// neighbours, or of each 256 entries of the level below. One invocation per entry: no barriers, which CPU drivers are
// slow at. render/passes/volume_range.h puts the levels behind each other, bricks first.

layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler3D voxels;
layout(std430, binding = 0) buffer Spans { vec2 spans[]; };

uniform bool leaves;       // from voxels, else from spans
uniform ivec3 brick_count;
uniform int first;         // of the bricks that are due
uniform int count;         // how many they are; of the level below: all entries
uniform int source_first;  // of the level below
uniform int target_first;

const int side = 8;
const int entries = 256;
const float none = 3.402823466e38;

vec2 span_of_brick(int brick) {
  ivec3 last = textureSize(voxels, 0) - 1;
  ivec3 corner = ivec3(brick % brick_count.x, brick / brick_count.x % brick_count.y,
                       brick / (brick_count.x * brick_count.y)) * side;
  ivec3 low = max(corner - 1, ivec3(0)), high = min(corner + side, last);
  vec2 span = vec2(none, -none);
  for (int z = low.z; z <= high.z; ++z)
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x) {
        float value = texelFetch(voxels, ivec3(x, y, z), 0).r;
        if (isnan(value) || isinf(value)) continue;
        span = vec2(min(span.x, value), max(span.y, value));
      }
  return span;
}

void main() {
  int index = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  if (leaves) {
    if (index < count) spans[first + index] = span_of_brick(first + index);
    return;
  }
  int begin = index * entries, end = min(begin + entries, count);
  if (begin >= end) return;
  vec2 all = vec2(none, -none);
  for (int i = begin; i < end; ++i) {
    vec2 one = spans[source_first + i];
    all = vec2(min(all.x, one.x), max(all.y, one.y));
  }
  spans[target_first + index] = all;
}
