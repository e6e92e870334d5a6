#version 450 core
// How often seams went through each place, where places count in the picture as it was when a seam was taken.

#include "seams.glsl"

layout(std430, binding = 1) buffer Heat { uint heat[]; };  // [0] the largest, then row by row

uniform int row_pixels;  // of the heat

void main() {
  int segment = int(gl_GlobalInvocationID.x), line = int(gl_GlobalInvocationID.y);
  if (segment >= segments() || line >= extent.y) return;
  for (int x = segment * segment_pixels; x < min((segment + 1) * segment_pixels, extent.x); ++x) {
    int order = order_at(place(x, line));
    if (!taken(order)) continue;
    int at = x;
    for (int before = 0; before < x; ++before) {
      int other = order_at(place(before, line));
      if (taken(other) && other < order) at += enlarges ? 1 : -1;
    }
    ivec2 to = place(at, line);
    uint count = atomicAdd(heat[1 + to.y * row_pixels + to.x], 1u) + 1u;
    atomicMax(heat[0], count);
  }
}
