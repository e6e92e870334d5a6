// sketch: checker_reference    title: Every other pixel becomes the mean of its neighbours
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    halo: 2

#include "threadscape.h"

__global__ void checker(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += in.mirror(x + dx, y + dy);
  out(x, y) = (x + y) % 2 == 0 ? in(x, y) : (sum + 12) / 25;
}
