// sketch: blur    title: Mean of a window
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..15)  "pixels beside the middle"
// block: 32x8    halo: radius
// check: mean size=(2 * radius + 1) border=mirror

#include "threadscape.h"

__global__ void blur(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += in.mirror(x + dx, y + dy);
  const int count = (2 * radius + 1) * (2 * radius + 1);
  out(x, y) = (sum + count / 2) / count;
}
