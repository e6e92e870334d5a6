// sketch: convolution_shared    title: Convolution with a tile in shared memory
// reads: picture gray u8    makes: picture gray u8
// constant: mask = 0, -1, 0, -1, 5, -1, 0, -1, 0 (-100..100)  "weights, row by row"
// block: 16x16    halo: 1
// check: convolution size=3 mask=0,-1,0,-1,5,-1,0,-1,0 border=mirror

#include "threadscape.h"

__constant__ float mask[9];

__global__ void convolve(Image<const unsigned char> in, Image<unsigned char> out) {
  __shared__ unsigned char tile[18][18];
  const int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256)
    tile[i / 18][i % 18] = in.mirror(left + i % 18, top + i / 18);
  __syncthreads();
  const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (!out.inside(x, y)) return;
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      sum += mask[dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  out(x, y) = static_cast<unsigned char>(fminf(fmaxf(floorf(sum + 0.5f), 0.0f), 255.0f));
}
