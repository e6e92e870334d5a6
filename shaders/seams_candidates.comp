#version 450 core
// Draws the seams that a picture could lose next over its grey values, coloured by their cost, and marks the cheapest.

#include "colour_map.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

// Red is the grey value, green the relative cost of the cheapest seam through the pixel, negative where none passes, and
// blue is 1 on the cheapest of all seams.
layout(binding = 0) uniform sampler2D state;
layout(binding = 0) uniform writeonly image2D painted;

uniform float white;     // the grey value of white
uniform bool all;        // whether all seams are drawn; otherwise only the cheapest
uniform int map;
uniform int reach;       // pixels on either side by which the cheapest seam is widened, to be seen in a small view
uniform vec3 highlight;
uniform ivec2 extent;

bool is_cheapest(ivec2 at) {
  for (int d = -reach; d <= reach; ++d) {
    ivec2 along = clamp(at + ivec2(d, 0), ivec2(0), extent - 1), down = clamp(at + ivec2(0, d), ivec2(0), extent - 1);
    if (max(texelFetch(state, along, 0).b, texelFetch(state, down, 0).b) > 0.5) return true;
  }
  return false;
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= extent.x || at.y >= extent.y) return;
  vec4 value = texelFetch(state, at, 0);
  vec3 colour = vec3(clamp(value.r / white, 0.0, 1.0));
  if (all) {
    colour *= 0.5;
    if (value.g >= 0.0) colour = mix(colour, colour_of(value.g, map), 0.85);
  }
  if (is_cheapest(at)) colour = highlight;
  imageStore(painted, at, vec4(colour, 1.0));
}
