// sketch: tile    title: Mean of a window from a tile in shared memory
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..4)  "pixels beside the middle"
// block: 16x16    halo: radius
// check: mean size=(2 * radius + 1) border=mirror

#include "threadscape.h"

__global__ void mean(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  __shared__ unsigned char tile[24][24];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  // gap: fill the tile. tile[0][0] is the pixel 'radius' to the left of and above the first one of the block
  // Sixteen threads load all, and the others wait.
  for (int row = 0; row < 16 + 2 * radius; ++row)
    for (int column = threadIdx.x; threadIdx.y == 0 && column < 16 + 2 * radius; column += 16)
      tile[row][column] = in.mirror(blockIdx.x * 16 - radius + column, blockIdx.y * 16 - radius + row);
  __syncthreads();
  // end of gap
  if (!out.inside(x, y)) return;
  int sum = 0;
  for (int dy = 0; dy <= 2 * radius; ++dy)
    for (int dx = 0; dx <= 2 * radius; ++dx)
      sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  const int count = (2 * radius + 1) * (2 * radius + 1);
  out(x, y) = (sum + count / 2) / count;
}
