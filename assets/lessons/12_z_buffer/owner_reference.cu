// sketch: owner_reference    title: Numbers of the nearest fragments, which each pixel looks for
// reads: sequence i32    makes: sequence u32 (side * side)
// param: side = 16 (1..64)  "pixels of the screen, a side"
// threads: side * side

#include "threadscape.h"

__global__ void look(Sequence<const int> in, Sequence<unsigned> out, int) {
  const unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= out.count) return;
  unsigned own = 0xffffffff, nearest = 0xffffffff;
  for (long long i = 0; i < in.count; ++i) {
    const unsigned word = in[i] * 2654435761u, depth = word & 0xfffff;
    if ((word >> 20) % out.count != place || depth >= nearest) continue;
    own = i;
    nearest = depth;
  }
  out[place] = own;
}
