// sketch: hops    title: Where paths end, by steps that become twice as long
// reads: picture gray u8    makes: sequence i32 (width)
// temp: once = heightfield i32
// temp: to = heightfield i32
// temp: next = heightfield i32
// block: 32x8    threads: width x height
// pass: one(in, once, to)
// for: step = 1; step < height; step * 2
// pass: join(once, to, next, step)
// pass: copy(next, to)
// end
// pass: ends(to, out)    block: 64    threads: width
// check: follow.cu

#include "threadscape.h"

// The column above with the smallest number; of equal ones the middle, and then the left one.
__device__ int above(Image<const unsigned char> in, int x, int y) {
  int best = x;
  if (x > 0 && in(x - 1, y - 1) < in(best, y - 1)) best = x - 1;
  if (x + 1 < in.width && in(x + 1, y - 1) < in(best, y - 1)) best = x + 1;
  return best;
}

__global__ void one(Image<const unsigned char> in, Image<int> once, Image<int> to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (in.inside(x, y)) once(x, y) = to(x, y) = y > 0 ? above(in, x, y) : x;
}

__global__ void join(Image<const int> once, Image<const int> to, Image<int> next, int step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!next.inside(x, y)) return;
  // gap: the column that is reached by going up 2 * step rows
  const int half = to(x, y);
  next(x, y) = y < step ? half : to(half, y - step);
  // end of gap
}

__global__ void copy(Image<const int> from, Image<int> to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (to.inside(x, y)) to(x, y) = from(x, y);
}

__global__ void ends(Image<const int> to, Sequence<int> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < to.width) out[x] = to(x, to.height - 1);
}
