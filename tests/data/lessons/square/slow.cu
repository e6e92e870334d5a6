// sketch: square    title: Erosion with a square
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..7)  "pixels beside the middle"
// pass: erode(in, out, radius)
// block: 32x8    halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void erode(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  // The pixels are loaded once, and each window is read from shared memory.
  __shared__ unsigned char tile[22][46];
  const int left = blockIdx.x * 32 - radius, top = blockIdx.y * 8 - radius;
  for (int ty = threadIdx.y; ty < 8 + 2 * radius; ty += 8)
    for (int tx = threadIdx.x; tx < 32 + 2 * radius; tx += 32)
      tile[ty][tx] = in.inside(left + tx, top + ty) ? in(left + tx, top + ty) : 255;
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (!out.inside(x, y)) return;
  int lowest = 255;
  for (int dy = 0; dy <= 2 * radius; ++dy)
    for (int dx = 0; dx <= 2 * radius; ++dx)
      lowest = min(lowest, tile[threadIdx.y + dy][threadIdx.x + dx]);
  out(x, y) = lowest;
}
