#version 450 core
// Computes the minimum and the maximum of each block of 256 values, or of 256 spans of the level below. There is one
// invocation per block, since barriers are slow in software renderers. The levels are stored one after another, the
// finest first; see render/passes/bars_pass.h.

#include "sequence.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Values { uint words[]; };
layout(std430, binding = 1) buffer Spans { Span spans[]; };

uniform bool leaves;       // whether blocks are of values; otherwise of spans
uniform int element;
uniform int first_word;    // index of the first word of the values
uniform int count;         // number of values, or of spans of the level below
uniform int source_first;  // first span of the level below
uniform int target_first;  // first span that is written

void main() {
  uint block = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint begin = block * block_values, end = min(begin + block_values, uint(count));
  if (begin >= end) return;
  Span all = Span(max_key, uvec2(0u));
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
