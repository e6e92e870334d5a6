// sketch: histogram    title: Histogram with bins in shared memory
// reads: picture gray u8    makes: sequence u32 (256)
// pass: clear(out)    block: 256    threads: 256
// pass: count(in, out)    block: 32x8    threads: width x height
// check: histogram.cpp

#include "threadscape.h"

__global__ void clear(Sequence<unsigned> out) {
  out[threadIdx.x] = 0;
}

__global__ void count(Image<const unsigned char> in, Sequence<unsigned> out) {
  __shared__ unsigned bins[256];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  bins[thread] = 0;
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (in.inside(x, y)) atomicAdd(&bins[in(x, y)], 1u);
  __syncthreads();
  if (bins[thread] != 0) atomicAdd(&out[thread], bins[thread]);
}
