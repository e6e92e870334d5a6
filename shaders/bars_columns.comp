#version 450 core
// Computes what each column of the view shows of a sequence: the minimum and the maximum of its values, the value in
// their middle, and the companion of that value, the number in the second row. Long sequences are bound in parts, with
// one dispatch for each.

#include "sequence.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Values { uint words[]; };
layout(std430, binding = 1) readonly buffer Spans { Span spans[]; };
layout(std430, binding = 2) readonly buffer Ranges { uvec2 ranges[]; };  // places [first, second) of each column
layout(std430, binding = 3) buffer Columns { Column columns[]; };
layout(std430, binding = 4) readonly buffer Companions { uint companions[]; };

uniform int element;
uniform int column_count;
uniform int part_first, part_count;  // place of the first bound value, and number of bound values
uniform int first_word, first_companion;
uniform bool has_companions;

uvec2 key_at(uint place) {
  uint i = place - uint(part_first);
  uint at = uint(first_word) + (is_wide(element) ? 2u * i : i);
  return key_of(is_wide(element) ? uvec2(words[at + 1u], words[at]) : uvec2(words[at], 0u), element);
}

void main() {
  uint c = gl_GlobalInvocationID.x;
  if (c >= uint(column_count)) return;
  uvec2 range = ranges[c];
  Column column = columns[c];
  if (part_first == 0) column = Column(Span(max_key, uvec2(0u)), uvec2(0u), 0u, range.x);

  uint part_end = uint(part_first) + uint(part_count);
  uint end = min(range.y, part_end);
  for (uint i = max(range.x, uint(part_first)); i < end;) {
    Span one;
    if (i % block_values == 0u && i + block_values <= end) {
      one = spans[i / block_values];
      i += block_values;
    } else {
      uvec2 key = key_at(i++);
      one = is_finite(key, element) ? Span(key, key) : Span(max_key, uvec2(0u));
    }
    column.span = Span(lesser(column.span.low, one.low), greater(column.span.high, one.high));
  }
  uint middle = range.x + (range.y - range.x) / 2u;
  if (range.y > range.x && middle >= uint(part_first) && middle < part_end) {
    column.middle = key_at(middle);
    column.companion = has_companions ? companions[uint(first_companion) + middle - uint(part_first)] : middle;
  }
  columns[c] = column;
}
