// sketch: add    title: Each number 40 higher, a thread for each
// reads: sequence i32    makes: sequence i32
// block: 256

#include "threadscape.h"

__global__ void add(Sequence<const int> in, Sequence<int> out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in.count) out[i] = in[i] + 40;
}
