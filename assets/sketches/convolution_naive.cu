// sketch: convolution_naive    title: Convolution with the mask as an argument
// reads: picture gray u8    makes: picture gray u8
// param: mask = 0, -1, 0, -1, 5, -1, 0, -1, 0 (-100..100)  "weights, row by row"
// block: 16x16    halo: 1
// check: convolution size=3 mask=0,-1,0,-1,5,-1,0,-1,0 border=mirror

#include "threadscape.h"

__global__ void convolve(Image<const unsigned char> in, Image<unsigned char> out, List<9> mask) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += mask[(dy + 1) * 3 + dx + 1] * in.mirror(x + dx, y + dy);
  out(x, y) = static_cast<unsigned char>(fminf(fmaxf(floorf(sum + 0.5f), 0.0f), 255.0f));
}
