#version 450 core
// Moves the pixels of each segment, and their numbers in the order map, to their places after the seams are taken.

#include "seams.glsl"

layout(binding = 0) uniform sampler2D colours;
layout(binding = 0) uniform writeonly image2D moved;
layout(binding = 1, r16) uniform writeonly image2D moved_orders;

uniform bool grey;         // whether the picture has one channel
uniform float white;       // the integer value of white; 0 for floats
uniform int highlighted;   // number of coloured seams: the next to be removed, or the last that were doubled
uniform vec3 highlight;

vec4 colour_at(ivec2 at) {
  vec4 value = texelFetch(colours, at, 0);
  return grey ? vec4(value.rrr, 1.0) : value;
}

// The mean of two pixels. Integers are rounded to nearest, ties up, as by seam_carving.
vec4 mean_of(vec4 a, vec4 b) {
  if (white == 0.0) return (a + b) / 2.0;
  vec4 sum = floor(a * white + 0.5) + floor(b * white + 0.5);
  return floor((sum + 1.0) / 2.0) / white;
}

vec4 marked(vec4 colour, int order, bool doubled) {
  int away = enlarges ? last - order : order - last - 1;
  if (order == 0 || enlarges != doubled || away < 0 || away >= highlighted) return colour;
  return vec4(mix(highlight, colour.rgb, 0.85 * float(away) / float(highlighted)), 1.0);
}

void main() {
  int segment = int(gl_GlobalInvocationID.x), line = int(gl_GlobalInvocationID.y);
  if (segment >= segments() || line >= extent.y) return;
  int to = 0;
  for (int before = 0; before < segment; ++before)
    to += int(counts[line * segments() + before]);
  for (int x = segment * segment_pixels; x < min((segment + 1) * segment_pixels, extent.x); ++x) {
    ivec2 from = place(x, line);
    int order = order_at(from);
    bool in_seam = taken(order);
    if (in_seam && !enlarges) continue;
    vec4 colour = colour_at(from);
    imageStore(moved, place(to, line), marked(colour, order, false));
    imageStore(moved_orders, place(to, line), vec4(float(order) / 65535.0));
    ++to;
    if (!in_seam) continue;
    int beside = x + 1 < extent.x ? x + 1 : max(x - 1, 0);
    vec4 between = mean_of(colour, colour_at(place(beside, line)));
    imageStore(moved, place(to, line), marked(between, order, true));
    imageStore(moved_orders, place(to, line), vec4(0.0));
    ++to;
  }
}
