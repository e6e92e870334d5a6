// sketch: follow    title: Where paths end, each followed by a thread
// reads: picture gray u8    makes: sequence i32 (width)
// block: 64    threads: width

#include "threadscape.h"

// The column above with the smallest number; of equal ones the middle, and then the left one.
__device__ int above(Image<const unsigned char> in, int x, int y) {
  int best = x;
  if (x > 0 && in(x - 1, y - 1) < in(best, y - 1)) best = x - 1;
  if (x + 1 < in.width && in(x + 1, y - 1) < in(best, y - 1)) best = x + 1;
  return best;
}

__global__ void follow(Image<const unsigned char> in, Sequence<int> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= in.width) return;
  int column = x;
  for (int y = in.height - 1; y > 0; --y)
    column = above(in, column, y);
  out[x] = column;
}
