// sketch: channels    title: Erosion of a colour picture, by planes
// reads: picture rgb u8    makes: picture rgb u8
// param: radius = 1 (1..4)  "pixels beside the middle"
// halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void erode(Image<const Rgba<unsigned char>> in, Image<Rgba<unsigned char>> out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  // The smallest of four numbers of 32 bits is not that of their bytes.
  unsigned lowest = 0xffffffff;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      lowest = min(lowest, *reinterpret_cast<const unsigned*>(&in.clamp(x + dx, y + dy)));
  *reinterpret_cast<unsigned*>(&out(x, y)) =
      (lowest & 0xffffff) | (*reinterpret_cast<const unsigned*>(&in(x, y)) & 0xff000000);
}
