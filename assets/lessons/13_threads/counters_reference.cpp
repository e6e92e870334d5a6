// sketch: counters_reference    title: Brightness in eight bins
// reads: picture gray u8    makes: sequence i32 (10)

#include "threadscape.h"

void counters_reference(Image<const unsigned char> in, Sequence<int> out) {
  for (int i = 0; i < 10; ++i)
    out[i] = 0;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      ++out[in(x, y) / 32];
}
