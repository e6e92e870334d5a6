#version 450 core
// Counts the pixels of each segment of each line after the seams are taken.

#include "seams.glsl"

void main() {
  int segment = int(gl_GlobalInvocationID.x), line = int(gl_GlobalInvocationID.y);
  if (segment >= segments() || line >= extent.y) return;
  int left = 0;
  for (int x = segment * segment_pixels; x < min((segment + 1) * segment_pixels, extent.x); ++x)
    left += pixels_left(order_at(place(x, line)));
  counts[line * segments() + segment] = uint(left);
}
