// sketch: brighten    title: Each pixel 40 brighter
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    halo: 0

#include "threadscape.h"

__global__ void brighten(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  out(x, y) = min(255, in(x, y) + 40);
}
