// sketch: transposed    title: Transposition through shared memory
// reads: picture gray f32    makes: picture gray f32 (height x width)
// block: 32x8    blocks: (width + 31) / 32 x (height + 31) / 32
// check: transpose_naive.cu

#include "threadscape.h"

__global__ void transposed(Image<const float> in, Image<float> out) {
  __shared__ float tile[32][33];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8)
    if (in.inside(left + threadIdx.x, top + row)) tile[row][threadIdx.x] = in(left + threadIdx.x, top + row);
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8)
    if (out.inside(top + threadIdx.x, left + row)) out(top + threadIdx.x, left + row) = tile[threadIdx.x][row];
}
