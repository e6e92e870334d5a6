// sketch: transpose    title: Transposition, for the CPU
// reads: picture gray f32    makes: picture gray f32 (height x width)

#include "threadscape.h"

void transpose(Image<const float> in, Image<float> out) {
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      out(y, x) = in(x, y);
}
