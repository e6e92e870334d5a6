// sketch: rim    title: Mean of a window, with a thread for each pixel of the tile and its rim
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..4)  "pixels beside the middle"
// block: 16 + 2 * radius x 16 + 2 * radius    blocks: (width + 15) / 16 x (height + 15) / 16    halo: radius
// check: mean size=(2 * radius + 1) border=mirror

#include "threadscape.h"

__global__ void rim(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  __shared__ unsigned char tile[24][24];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 16 + tx - radius, y = blockIdx.y * 16 + ty - radius;
  tile[ty][tx] = in.mirror(x, y);
  __syncthreads();
  // The threads of the rim have loaded a pixel, and compute none.
  if (tx < radius || ty < radius || tx >= 16 + radius || ty >= 16 + radius || !out.inside(x, y)) return;
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += tile[ty + dy][tx + dx];
  const int count = (2 * radius + 1) * (2 * radius + 1);
  out(x, y) = (sum + count / 2) / count;
}
