#pragma once
// A large mask in the form that CUDA's default variant wants. Windows start at words of four pixels: in front of the
// first column of the mask there are 0 to 3 columns of zeros.

#include <cstddef>
#include <cstdint>

#include "compute/algorithms/filters/convolution/convolution_math.h"

namespace threadscape::convolution {

inline constexpr int max_mask_words = (max_size + 3) / 4;  ///< of four columns
inline constexpr int max_row_groups = (max_size + 3) / 4 + 1;
inline constexpr int max_digits = 4;

/// Exact masks. Taps are numbers to the base 256 of up to four digits, signed bytes, so that IDP.4A multiplies four of
/// them by four pixels; the sum of one digit, times 256, goes into the sum of the next.
struct DigitMask {
  int digits = 1;
  /// [highest digit first][word of a row][row]: a thread goes down the rows of one word.
  std::uint32_t words[max_digits][max_mask_words][4 * max_row_groups] = {};
  /// Rows 4 * first[word] .. 4 * last[word] - 1 hold all taps that are not 0, with three rows more below.
  std::uint8_t first[max_mask_words] = {}, last[max_mask_words] = {};
};
/// Other masks, and float pictures.
struct RealMask {
  float taps[max_size][4 * max_mask_words] = {};
};
inline constexpr std::size_t max_mask_bytes = sizeof(DigitMask::words) > sizeof(RealMask) ? sizeof(DigitMask::words)
                                                                                          : sizeof(RealMask);

/// Columns of zeros in front.
[[nodiscard]] constexpr int skipped_columns(int radius) {
  return (4 - radius % 4) % 4;
}

[[nodiscard]] DigitMask digit_mask(const Plan& plan);
[[nodiscard]] RealMask real_mask(const Plan& plan);

}  // namespace threadscape::convolution
