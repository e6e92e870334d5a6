// sketch: blur    title: Mean of 3 x 3 pixels
// reads: picture gray u8    makes: picture gray u8
// block: 32x8    halo: 1
// check: mean size=1 border=mirror

#include "threadscape.h"

__global__ void blur(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  // gap: the mean of the 3 x 3 pixels around (x, y)
  out(x, y) = in(x, y);
  // end of gap
}
