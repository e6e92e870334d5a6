// sketch: window    title: Mean of a window, read by each thread
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..4)  "pixels beside the middle"
// block: 16x16    halo: radius
// check: mean size=(2 * radius + 1) border=mirror

#include "threadscape.h"

__global__ void window(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (!out.inside(x, y)) return;
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += in.mirror(x + dx, y + dy);
  const int count = (2 * radius + 1) * (2 * radius + 1);
  out(x, y) = (sum + count / 2) / count;
}
