// sketch: erosion    title: Erosion with a square
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..7)  "pixels beside the middle"
// block: 32x8    halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void erode(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int lowest = 255;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      if (in.inside(x + dx, y + dy)) lowest = min(lowest, in(x + dx, y + dy));
  out(x, y) = lowest;
}
