#version 450 core
// Draws a slice of a volume as a plane in space: a detector with its view, or a cut through an object.

#include "colour_map.glsl"
#include "volume_tone.glsl"

in vec2 at;
in vec3 place;
layout(location = 0) out vec4 colour;

layout(binding = 1) uniform sampler3D picture;
uniform vec3 origin, across_texture, up_texture;  // texture coordinates of the corner and the sides
uniform vec4 background;
uniform vec3 eye, box_low, box_high;
uniform float opacity;
uniform int part;  // as in space_line.frag

void main() {
  if (part != 0) {
    vec3 way = place - eye;
    vec3 safe = mix(way, vec3(1e-12), equal(way, vec3(0.0)));
    vec3 a = (box_low - eye) / safe, b = (box_high - eye) / safe;
    vec3 near = min(a, b), far = max(a, b);
    float enter = max(max(max(near.x, near.y), near.z), 0.0), leave = min(min(far.x, far.y), far.z);
    bool behind = enter < leave && leave < 1.0;
    if (behind != (part == 1)) discard;
  }
  float level = level_of(texture(picture, origin + at.x * across_texture + at.y * up_texture).r);
  vec3 rgb = level == not_computed ? missing(background.rgb, gl_FragCoord.xy) : tone(level);
  // A translucent plane is clearer where it is dark.
  float cover = opacity < 1.0 ? opacity * mix(0.55, 1.0, max(level, 0.0)) : 1.0;
  colour = vec4(rgb * cover, cover);
}
