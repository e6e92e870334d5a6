#version 450 core
// Draws a volume in three dimensions over the contents of the framebuffer.

#include "colour_map.glsl"
#include "volume_tone.glsl"
#include "volume_march.glsl"

layout(location = 0) out vec4 colour;

uniform ivec2 view;                 // size of the view in pixels
uniform vec3 ahead, right, upward;  // axes of the camera; the last two reach the edges of the view at distance 1

void main() {
  vec2 place = gl_FragCoord.xy / vec2(view) * 2.0 - 1.0;
  vec3 way = normalize(ahead + place.x * right + place.y * upward);
  vec2 span = box_span(way);
  if (span.x >= span.y) discard;
  // Interleaved gradient noise (Jorge Jimenez, 2014), which is hardly visible.
  float offset = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
#if MARCH_STYLE == 0
  colour = march(way, span.x, span.y, true, offset);
#else
  float level = march(way, span.x, span.y, true, 0.5).x;
#if MARCH_STYLE == 1
  level *= density;
#endif
  level = min(level, 1.0);
  float cover = smoothstep(0.0, 0.12, level);
  colour = vec4(tone(level) * cover, cover);
#endif
}
