#version 450 core
// Computes the minimum and the maximum of each brick of 8 x 8 x 8 voxels, including the neighbouring voxels that
// trilinear filtering mixes in, or of each 256 spans of the level below. There is one invocation per span, since
// barriers are slow in software renderers. The levels are stored one after another, the bricks first; see
// render/passes/volume_range.h.

layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler3D voxels;
layout(std430, binding = 0) buffer Spans { vec2 spans[]; };

uniform bool leaves;       // whether spans are of voxels; otherwise of spans
uniform ivec3 brick_count;
uniform int first;         // first brick that is computed
uniform int count;         // number of bricks that are computed, or of spans of the level below
uniform int source_first;  // first span of the level below
uniform int target_first;  // first span that is written

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
