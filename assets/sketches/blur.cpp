// sketch: blur    title: Mean of a window, for the CPU
// reads: picture gray u8    makes: picture gray u8
// param: radius = 1 (1..15)  "pixels beside the middle"
// halo: radius
// check: mean size=(2 * radius + 1) border=mirror

#include "threadscape.h"

void blur(Image<const unsigned char> in, Image<unsigned char> out, int radius) {
  const int count = (2 * radius + 1) * (2 * radius + 1);
#pragma omp parallel for
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      int sum = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
          sum += in.mirror(x + dx, y + dy);
      out(x, y) = (sum + count / 2) / count;
    }
}
