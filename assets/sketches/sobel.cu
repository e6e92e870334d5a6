// sketch: edges    title: Sobel edges
// reads: picture gray u8    makes: picture gray u8
// halo: 1
// check: sobel

#include "threadscape.h"

__global__ void edges(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int gx = 0, gy = 0;
  for (int d = -1; d <= 1; ++d) {
    const int weight = d == 0 ? 2 : 1;
    gx += weight * (in.mirror(x + 1, y + d) - in.mirror(x - 1, y + d));
    gy += weight * (in.mirror(x + d, y + 1) - in.mirror(x + d, y - 1));
  }
  out(x, y) = min(255, abs(gx) + abs(gy));
}
