// sketch: bitonic_shared    title: Bitonic sorting, near steps in shared memory
// reads: sequence i32    makes: sequence i32
// need: pow2(count) == count && count > 1  "a power of two of numbers, and two at least"
// pass: near(in, out, 2, min(count, 1024))    block: min(count, 1024) / 2    threads: count / 2
// for: size = 2048; size <= count; size * 2
// for: step = size / 2; step >= 1024; step / 2
// pass: far(out, size, step)    threads: count / 2
// end
// pass: near(out, out, size, size)    block: 512    threads: count / 2
// end
// check: sorting type=int32

#include "threadscape.h"

__device__ void order(int& a, int& b, bool falling) {
  const int low = min(a, b), high = max(a, b);
  a = falling ? high : low;
  b = falling ? low : high;
}

// All steps within the tile of a block.
__global__ void near(Sequence<const int> in, Sequence<int> out, int from, int to) {
  __shared__ int tile[1024];
  const int half = blockDim.x, t = threadIdx.x;
  const long long first = blockIdx.x * 2ll * half;
  for (int i = t; i < 2 * half; i += half) tile[i] = in[first + i];
  for (long long size = from; size <= to; size *= 2)
    for (int step = min(int(size / 2), half); step > 0; step /= 2) {
      __syncthreads();
      const int i = t / step * 2 * step + t % step;
      order(tile[i], tile[i + step], ((first + i) & size) != 0);
    }
  __syncthreads();
  for (int i = t; i < 2 * half; i += half) out[first + i] = tile[i];
}

__global__ void far(Sequence<int> keys, int size, int step) {
  const long long pair = blockIdx.x * blockDim.x + threadIdx.x, i = pair / step * 2 * step + pair % step;
  order(keys[i], keys[i + step], (i & size) != 0);
}
