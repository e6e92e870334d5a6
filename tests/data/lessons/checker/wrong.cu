// sketch: checker    title: Every other pixel becomes the mean of its neighbours
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    threads: (width + 1) / 2 x height    halo: 2
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
  const int left = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(left, y)) return;
  // One of each pair of neighbours is copied, and the other one is a mean.
  const int copied = left, blurred = left + 1;
  if (copied < in.width) out(copied, y) = in(copied, y);
  if (blurred < in.width) out(blurred, y) = mean(in, blurred, y);
}
