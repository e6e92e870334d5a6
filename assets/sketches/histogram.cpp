// sketch: histogram    title: Histogram, for the CPU
// reads: picture gray u8    makes: sequence u32 (256)

#include "threadscape.h"

void histogram(Image<const unsigned char> in, Sequence<unsigned> out) {
  for (int i = 0; i < 256; ++i)
    out[i] = 0;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      ++out[in(x, y)];
}
