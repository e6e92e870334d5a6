#version 450 core
// Finds the first place of a key. Blocks whose span does not contain the key are skipped.

#include "sequence.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Values { uint words[]; };
layout(std430, binding = 1) readonly buffer Spans { Span spans[]; };
layout(std430, binding = 2) buffer Found { uint found; };

uniform int element;
uniform ivec2 wanted;
uniform int part_first, part_count;  // place of the first bound value, which starts a block, and their number
uniform int first_word;

void main() {
  uint block = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint begin = block * block_values, end = min(begin + block_values, uint(part_count));
  if (begin >= end) return;
  uvec2 key = uvec2(wanted);
  Span span = spans[uint(part_first) / block_values + block];
  if (less(key, span.low) || less(span.high, key)) return;
  for (uint i = begin; i < end; ++i) {
    uint at = uint(first_word) + (is_wide(element) ? 2u * i : i);
    uvec2 one = key_of(is_wide(element) ? uvec2(words[at + 1u], words[at]) : uvec2(words[at], 0u), element);
    if (one == key) {
      atomicMin(found, uint(part_first) + i);
      return;
    }
  }
}
