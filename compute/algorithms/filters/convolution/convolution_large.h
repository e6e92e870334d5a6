#pragma once
// A large mask in the form that the default CUDA variant needs (cuda/convolution_large.cu). A window starts at a word
// of four pixels, so that 0 to 3 columns of zeros stand before the first column of the mask:
//
//   radius 5, size 11     word 0        word 1        word 2        word 3
//                         0 0 0 t0  |   t1 t2 t3 t4 | t5 t6 t7 t8 | t9 t10 0 0

#include <cstddef>
#include <cstdint>

#include "compute/algorithms/filters/convolution/convolution_math.h"

namespace threadscape::convolution {

inline constexpr int max_mask_words = (max_size + 3) / 4;  ///< Words of four columns that a row may have.
inline constexpr int max_row_groups = (max_size + 3) / 4 + 1;
inline constexpr int max_digits = 4;

/// An exact mask. Taps are numbers to the base 256 of up to four digits, which are signed bytes, so that the
/// instruction IDP.4A multiplies four of them by four pixels. The sums for one digit, times 256, are where those for
/// the next one start.
struct DigitMask {
  int digits = 1;
  /// words[digit][word of a row][row], the highest digit first: a thread goes down the rows of one word.
  std::uint32_t words[max_digits][max_mask_words][4 * max_row_groups] = {};
  /// Rows 4 * first[word] .. 4 * last[word] - 1 contain all taps of a word that are not 0, and three rows more below.
  std::uint8_t first[max_mask_words] = {}, last[max_mask_words] = {};
};
/// Any other mask, and masks for float pictures.
struct RealMask {
  float taps[max_size][4 * max_mask_words] = {};
};
inline constexpr std::size_t max_mask_bytes = sizeof(DigitMask::words) > sizeof(RealMask) ? sizeof(DigitMask::words)
                                                                                          : sizeof(RealMask);

/// The number of columns of zeros before the mask.
[[nodiscard]] constexpr int skipped_columns(int radius) {
  return (4 - radius % 4) % 4;
}

[[nodiscard]] DigitMask digit_mask(const Plan& plan);
[[nodiscard]] RealMask real_mask(const Plan& plan);

}  // namespace threadscape::convolution
