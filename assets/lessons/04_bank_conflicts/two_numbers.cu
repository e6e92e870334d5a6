// sketch: two_numbers    title: Reads one member of structures in shared memory
// reads: sequence i32    makes: sequence i32
// block: 256

#include "threadscape.h"

struct Item { int x, y; };

__global__ void read(Sequence<const int> in, Sequence<int> out) {
  __shared__ Item items[256];
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < in.count) items[threadIdx.x].x = in[i];
  __syncthreads();
  if (i < in.count) out[i] = items[threadIdx.x].x;
}
