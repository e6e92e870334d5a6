// sketch: square    title: Erosion with a square
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..7)  "pixels beside the middle"
// pass: erode(in, out, radius)
// block: 32x8    halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void erode(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int lowest = 255;
  for (int ny = max(0, y - radius); ny <= min(in.height - 1, y + radius); ++ny)
    for (int nx = max(0, x - radius); nx <= min(in.width - 1, x + radius); ++nx)
      lowest = min(lowest, in(nx, ny));
  out(x, y) = lowest;
}
