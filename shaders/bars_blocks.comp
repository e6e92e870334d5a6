#version 450 core
// The least and the largest value of each block of 256 values, or of 256 entries of the level below. One invocation per
// block: no barriers, which CPU drivers are slow at. render/passes/bars_pass.h puts the levels behind each other.

#include "sequence.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Values { uint words[]; };
layout(std430, binding = 1) buffer Spans { Span spans[]; };

uniform bool leaves;       // from values, else from spans
uniform int element;
uniform int first_word;    // where the values begin
uniform int count;         // values, or spans of the level below
uniform int source_first;  // first span of the level below
uniform int target_first;  // first span that is written

void main() {
  uint block = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint begin = block * block_values, end = min(begin + block_values, uint(count));
  if (begin >= end) return;
  Span all = Span(largest_key, uvec2(0u));
  for (uint i = begin; i < end; ++i) {
    if (leaves) {
      uint at = uint(first_word) + (is_wide(element) ? 2u * i : i);
      uvec2 key = key_of(is_wide(element) ? uvec2(words[at + 1u], words[at]) : uvec2(words[at], 0u), element);
      if (!is_finite(key, element)) continue;
      all = Span(lesser(all.low, key), greater(all.high, key));
    } else {
      Span one = spans[uint(source_first) + i];
      all = Span(lesser(all.low, one.low), greater(all.high, one.high));
    }
  }
  spans[uint(target_first) + block] = all;
}
