// sketch: stride    title: Reads every n-th number
// reads: sequence i32    makes: sequence i32 (count / 32)
// param: step = 1 (1..32)  "numbers from one thread to the next"
// block: 256

#include "threadscape.h"

__global__ void stride(Sequence<const int> in, Sequence<int> out, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.count) out[i] = in[i * step];
}
