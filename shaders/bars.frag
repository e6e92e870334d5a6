#version 450 core
// Draws a sequence as bars or as a strip of colours, from the columns of the view that bars_columns.comp computed.

#include "sequence.glsl"
#include "colour_map.glsl"

layout(std430, binding = 3) readonly buffer Columns { Column columns[]; };

uniform ivec2 origin;  // lower left corner of the viewport
uniform ivec2 size;
uniform int element;
uniform ivec2 low_key, high_key;  // the values at the bottom and at the top
uniform ivec2 base_key;           // the value at which bars start
uniform bool strip;
uniform int colouring;  // 0: by value, 1: by companion, 2: plain
uniform int map;
uniform float companions;  // number of companions, numbers in the second row
uniform vec4 plain, background;
uniform bool gaps;     // whether bars are wide enough to end with a gap
uniform ivec2 marked;  // columns [first, second) of the marked bar
uniform vec4 mark;

out vec4 colour;

const float floor_height = 0.02;  // height of the bar of the minimum, which would be invisible otherwise
const vec3 not_a_number = vec3(1.0, 0.0, 1.0);

float height_of(uvec2 key) { return mix(floor_height, 1.0, fraction(key, uvec2(low_key), uvec2(high_key), element)); }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - origin;
  Column column = columns[at.x];
  colour = background;
  if (gaps && at.x + 1 < size.x && columns[at.x + 1].first != column.first) return;

  if (less(column.span.high, column.span.low) || !is_finite(column.middle, element)) {
    colour = vec4(not_a_number, 1.0);
    return;
  }
  float bottom = height_of(column.span.low), top = height_of(column.span.high);
  float base = uvec2(base_key) == uvec2(low_key) ? 0.0 : height_of(uvec2(base_key));
  float y = (float(at.y) + 0.5) / float(size.y);

  float shown = strip ? height_of(column.middle) : clamp(y, bottom, top);
  float value = (shown - floor_height) / (1.0 - floor_height);
  if (colouring == 1) value = (float(column.companion) + 0.5) / companions;
  vec3 full = colouring == 2 ? plain.rgb : colour_of(value, map);
  if (at.x >= marked.x && at.x < marked.y) full = mark.rgb;

  if (strip) {
    colour = vec4(full, 1.0);
  } else if ((y >= base && y < bottom) || (y < base && y >= top) || (bottom == top && y >= min(base, top) && y < max(base, top))) {
    colour = vec4(full, 1.0);  // the bars of all values of the column cover this pixel
  } else if (y >= min(base, bottom) && y < max(base, top)) {
    colour = vec4(mix(background.rgb, full, 0.55), 1.0);  // the bars of some values cover this pixel
  }
}
