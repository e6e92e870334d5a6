#version 450 core
// Counts the seams through each place. The place of a seam is that in the picture as it was when the seam was taken.

#include "seams.glsl"

layout(std430, binding = 1) buffer Heat { uint heat[]; };  // [0] is the maximum; the counts follow row by row

uniform int row_pixels;  // pitch of the counts

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
