// sketch: channels    title: Erosion of a colour picture, by planes
// reads: picture rgb u8    makes: picture rgb u8
// param: radius = 1 (1..4)  "pixels beside the middle"
// halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void erode(Image<const Rgba<unsigned char>> in, Image<Rgba<unsigned char>> out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  Rgba<unsigned char> lowest = {255, 255, 255, in(x, y).a};
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const Rgba<unsigned char> pixel = in.clamp(x + dx, y + dy);
      lowest.r = min(lowest.r, pixel.r);
      lowest.g = min(lowest.g, pixel.g);
      lowest.b = min(lowest.b, pixel.b);
    }
  out(x, y) = lowest;
}
