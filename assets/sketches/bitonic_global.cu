// sketch: bitonic_global    title: Bitonic sorting, a launch for each step
// reads: sequence i32    makes: sequence i32
// need: pow2(count) == count  "a power of two of numbers"
// pass: copy(in, out)
// for: size = 2; size <= count; size * 2
// for: step = size / 2; step > 0; step / 2
// pass: exchange(out, size, step)    threads: count / 2
// end
// end
// check: sorting type=int32

#include "threadscape.h"

__global__ void copy(Sequence<const int> in, Sequence<int> out) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in.count) out[i] = in[i];
}

__global__ void exchange(Sequence<int> keys, int size, int step) {
  const long long pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= keys.count / 2) return;
  const long long i = pair / step * 2 * step + pair % step;
  const int a = keys[i], b = keys[i + step];
  if ((a > b) != ((i & size) != 0)) {
    keys[i] = b;
    keys[i + step] = a;
  }
}
