// sketch: near_steps    title: Bitonic sorting, near steps in shared memory
// reads: sequence i32    makes: sequence i32
// need: pow2(count) == count && count > 1  "a power of two of numbers, and two at least"
// pass: tiles(in, out)    block: min(count, 1024) / 2    threads: count / 2
// for: size = 2048; size <= count; size * 2
// for: step = size / 2; step >= 1024; step / 2
// pass: far(out, size, step)    threads: count / 2
// end
// pass: near(out, size)    block: 512    threads: count / 2
// end
// check: sorting type=int32

#include "threadscape.h"

__device__ void exchange(int* keys, int pair, int step, bool falling) {
  const int i = pair / step * 2 * step + pair % step, a = keys[i], b = keys[i + step];
  if ((a > b) == falling) return;
  keys[i] = b;
  keys[i + step] = a;
}

/// Steps within the tile of a block, which begins at the key `first`.
__device__ void steps(int* tile, long long first, int size, int step) {
  // gap: all steps from 'step' down to 1, with the pair of each thread
  __syncthreads();
  const int i = threadIdx.x / step * 2 * step + threadIdx.x % step;
  exchange(tile, threadIdx.x, step, ((first + i) & size) != 0);
  // end of gap
  __syncthreads();
}

__global__ void tiles(Sequence<const int> in, Sequence<int> out) {
  __shared__ int tile[1024];
  const int half = blockDim.x, t = threadIdx.x;
  const long long first = blockIdx.x * 2ll * half;
  tile[t] = in[first + t];
  tile[t + half] = in[first + t + half];
  for (int size = 2; size <= 2 * half; size *= 2)
    steps(tile, first, size, size / 2);
  out[first + t] = tile[t];
  out[first + t + half] = tile[t + half];
}

__global__ void far(Sequence<int> keys, int size, int step) {
  const long long pair = blockIdx.x * blockDim.x + threadIdx.x, i = pair / step * 2 * step + pair % step;
  const int a = keys[i], b = keys[i + step];
  if ((a > b) == ((i & size) != 0)) return;
  keys[i] = b;
  keys[i + step] = a;
}

__global__ void near(Sequence<int> keys, int size) {
  __shared__ int tile[1024];
  const long long first = blockIdx.x * 1024ll;
  tile[threadIdx.x] = keys[first + threadIdx.x];
  tile[threadIdx.x + 512] = keys[first + threadIdx.x + 512];
  steps(tile, first, size, 512);
  keys[first + threadIdx.x] = tile[threadIdx.x];
  keys[first + threadIdx.x + 512] = tile[threadIdx.x + 512];
}
