// sketch: step    title: Reads every n-th word of shared memory
// reads: sequence i32    makes: sequence i32
// param: step = 1 (1..33)  "words from one thread to the next"
// block: 32

#include "threadscape.h"

__global__ void step(Sequence<const int> in, Sequence<int> out, int step) {
  __shared__ int words[32 * 33];
  const long long i = blockIdx.x * 32ll + threadIdx.x;
  for (int k = threadIdx.x; k < 32 * 33; k += 32)
    words[k] = in[k % in.count];
  __syncwarp();
  if (i < out.count) out[i] = words[threadIdx.x * step];
}
