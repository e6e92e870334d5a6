#version 450 core
// Draws the input with false colours over it, which tell when each pixel is taken, or how often seams passed through
// each place.

#include "colour_map.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D colours;
layout(binding = 1) uniform sampler2D orders;
layout(binding = 0) uniform writeonly image2D painted;
layout(std430, binding = 1) readonly buffer Heat { uint heat[]; };

uniform bool grey;
uniform bool often;       // whether colours tell how often; otherwise when
uniform int total;        // number of seams
uniform int known;        // number of seams that are painted
uniform int map;
uniform ivec2 extent;
uniform int row_pixels;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= extent.x || at.y >= extent.y) return;
  vec4 value = texelFetch(colours, at, 0);
  vec3 colour = clamp(grey ? value.rrr : value.rgb, 0.0, 1.0);
  vec3 faded = vec3(dot(colour, vec3(0.299, 0.587, 0.114))) * 0.45;
  float strength = 0.0, share = 0.0;
  if (often) {
    uint count = heat[1 + at.y * row_pixels + at.x];
    share = float(count) / float(max(heat[0], 1u));
    strength = count == 0u ? 0.0 : 0.35 + 0.65 * sqrt(share);
    share = sqrt(share);
  } else {
    int order = int(texelFetch(orders, at, 0).r * 65535.0 + 0.5);
    share = 1.0 - float(order) / float(max(total, 1));
    strength = order == 0 || order > known ? 0.0 : 0.9;
  }
  imageStore(painted, at, vec4(mix(faded, colour_of(share, map), strength), 1.0));
}
