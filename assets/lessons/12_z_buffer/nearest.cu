// sketch: nearest    title: Nearest depths of fragments
// reads: sequence i32    makes: sequence u32 (side * side)
// param: side = 16 (1..64)  "pixels of the screen, a side"
// pass: clear(out)    threads: side * side
// pass: draw(in, out)    threads: count
// check: every.cu side=(side)

#include "threadscape.h"

__global__ void clear(Sequence<unsigned> out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.count) out[i] = 0xffffff;
}

// A number says where its fragment is: multiplied, its upper bits are the place, and its lower ones the depth.
__global__ void draw(Sequence<const int> in, Sequence<unsigned> out) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= in.count) return;
  const unsigned word = in[i] * 2654435761u, place = (word >> 20) % out.count, depth = word & 0xfffff;
  // gap: the pixel at 'place' keeps the nearest depth
  if (depth < out[place]) out[place] = depth;
  // end of gap
}
