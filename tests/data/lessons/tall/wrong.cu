// sketch: tall    title: Mean of 3 x 3 pixels, by blocks of one column
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    threads: height x width    halo: 1
// check: mean size=3 border=mirror

#include "threadscape.h"

__global__ void tall(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in.mirror(x + dx, y + dy);
  out(x, y) = (sum + 4) / 9;
}
