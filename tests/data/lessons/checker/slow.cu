// sketch: checker    title: Every other pixel becomes the mean of its neighbours
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    halo: 2
// check: checker_reference.cu

#include "threadscape.h"

__device__ int mean(Image<const unsigned char> in, int x, int y) {
  int sum = 0;
#pragma unroll 1
  for (int dy = -2; dy <= 2; ++dy)
#pragma unroll 1
    for (int dx = -2; dx <= 2; ++dx)
      sum += in.mirror(x + dx, y + dy);
  return (sum + 12) / 25;
}

__global__ void checker(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  // Nobody diverges, as everybody computes the mean, and half of the threads drop it.
  const int both[2] = {in(x, y), mean(in, x, y)};
  out(x, y) = both[(x + y) % 2];
}
