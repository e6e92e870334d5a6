#version 450 core
// Draws lines in space. Lines behind the volume are drawn before it, the others after it, dimmed by the part of the
// volume in front of them.

#define MARCH_STYLE 0
#include "colour_map.glsl"
#include "volume_tone.glsl"
#include "volume_march.glsl"

in vec3 place;
flat in vec4 ends;
flat in vec4 ink;
flat in vec2 width_glow;
layout(location = 0) out vec4 colour;

uniform int part;  // 0: everything is drawn; 1: what is behind the volume; 2: what is not behind it

void main() {
  vec2 at = gl_FragCoord.xy;
  vec2 along = ends.zw - ends.xy;
  float part_way = clamp(dot(at - ends.xy, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
  float off = distance(at, ends.xy + part_way * along);
  float half_width = 0.5 * max(width_glow.x, 1.0);
  float alpha = ink.a * min(width_glow.x, 1.0);
  alpha *= width_glow.y > 0.5 ? exp(-2.5 * off * off / (half_width * half_width)) : clamp(half_width + 0.5 - off, 0.0, 1.0);
  if (alpha < 0.004) discard;
  if (part != 0) {
    vec3 way = place - eye;
    float far = length(way);
    way /= far;
    vec2 span = box_span(way);
    bool behind = span.x < span.y && far > span.y - 1e-4;
    if (behind != (part == 1)) discard;
    if (!behind && span.x < span.y && far > span.x + 1e-4) alpha *= 1.0 - march(way, span.x, far, false, 0.5).a;
  }
  colour = vec4(ink.rgb * alpha, alpha);
}
