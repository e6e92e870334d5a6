#pragma once
// Four pixels of a row as one word, at the border of the picture as well, without a branch per pixel.

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// Where the four pixels from column x on come from, x a multiple of 4 and the row longer than the window: bytes of the
/// words at columns `first` and `second`, as PRMT picks them. -1 stands for a word of zeros. Pixels that no window
/// reaches are anything.
struct WordSource {
  int first = -1, second = -1;
  std::uint32_t pick = 0;
};
TS_HD inline WordSource word_source(int x, int width, int radius, Border border) {
  if (x >= 0 && x + 4 <= width) return {x, -1, 0x3210};
  WordSource source;
  for (int i = 0; i < 4; ++i) {
    if (x + i < -radius || x + i >= width + radius) continue;
    const int column = index_beside(x + i, width, border);
    std::uint32_t byte = 4;  // of the second word, which is 0 under Border::zero
    if (column >= 0) {
      const int word = column / 4 * 4;
      if (source.first < 0) source.first = word;
      if (word != source.first) source.second = word;
      byte = static_cast<std::uint32_t>(column % 4) + (word != source.first ? 4 : 0);
    }
    source.pick |= byte << 4 * i;
  }
  return source;
}

}  // namespace threadscape
