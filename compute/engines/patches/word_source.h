#pragma once
// Four bytes of a row as one word, at the border of the picture as well, without a branch for each pixel. Outside of
// the picture a word consists of bytes of at most two words inside, which one byte permutation brings into order:
//
//   Border::mirror, x = -4:   | 4 3 2 1 | <- bytes of   first | 4 5 6 7 |   second | 0 1 2 3 |

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// The sources of a word of four pixels: pick_bytes(first, second, pick) of the words that start at columns `first` and
/// `second`, where -1 stands for a word of zeros.
struct WordSource {
  int first = -1, second = -1;
  std::uint32_t pick = 0;
};
/// The sources of the four pixels from column x on; x is a multiple of 4, and the row is longer than the window. Pixels
/// that no window of this radius reaches are undefined.
TS_HD inline WordSource word_source(int x, int width, int radius, Border border) {
  if (x >= 0 && x + 4 <= width) return {x, -1, 0x3210};
  WordSource source;
  for (int i = 0; i < 4; ++i) {
    if (x + i < -radius || x + i >= width + radius) continue;
    const int column = index_beside(x + i, width, border);
    std::uint32_t byte = 4;  // a byte of the second word, which is 0 with Border::zero
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
