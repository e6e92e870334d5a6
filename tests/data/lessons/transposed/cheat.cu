// sketch: transposed    title: Transposition through shared memory
// reads: picture gray f32    makes: picture gray f32 (height x width)
// block: 32x8    threads: width x height
// check: transpose_naive.cu

#include "threadscape.h"

__global__ void transposed(Image<const float> in, Image<float> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (in.inside(x, y)) out(y, x) = in(x, y);
}
