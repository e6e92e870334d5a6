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
  // One thread draws all fragments, and nobody else is there to be in its way.
  if (i > 0) return;
  for (long long k = 0; k < in.count; ++k) {
    const unsigned one = in[k] * 2654435761u, at = (one >> 20) % out.count;
    out[at] = min(out[at], one & 0xfffff);
  }
  // end of gap
}
