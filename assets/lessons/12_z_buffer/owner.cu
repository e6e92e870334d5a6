// sketch: owner    title: Numbers of the nearest fragments
// reads: sequence i32    makes: sequence u32 (side * side)
// param: side = 16 (1..64)  "pixels of the screen, a side"
// temp: nearest = sequence i64 (side * side)
// pass: clear(nearest)    threads: side * side
// pass: draw(in, nearest)    threads: count
// pass: show(nearest, out)    threads: side * side
// check: owner_reference.cu side=(side)

#include "threadscape.h"

__global__ void clear(Sequence<long long> nearest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nearest.count) nearest[i] = 0x7fffffffffffffff;
}

// A number says where its fragment is: multiplied, its upper bits are the place, and its lower ones the depth.
__global__ void draw(Sequence<const int> in, Sequence<long long> nearest) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= in.count) return;
  const unsigned word = in[i] * 2654435761u, place = (word >> 20) % nearest.count, depth = word & 0xfffff;
  // The halves are exchanged one after another: first the depth, then the number.
  unsigned* const halves = reinterpret_cast<unsigned*>(&nearest[place]);
  if (atomicMin(&halves[1], depth) > depth) halves[0] = i;
}

__global__ void show(Sequence<const long long> nearest, Sequence<unsigned> out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.count) out[i] = nearest[i] & 0xffffffff;
}
