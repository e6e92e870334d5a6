#include "compute/algorithms/filters/convolution/convolution_large.h"

#include <algorithm>

namespace threadscape::convolution {

DigitMask digit_mask(const Plan& plan) {
  DigitMask mask;
  const auto next = [](int number) { return (number - static_cast<std::int8_t>(number)) / 256; };
  for (const int number : {plan.max_unit, -plan.max_unit}) {
    int digits = 1;
    for (int rest = next(number); rest != 0; rest = next(rest))
      ++digits;
    mask.digits = std::max(mask.digits, digits);
  }
  std::fill_n(mask.first, max_mask_words, std::uint8_t{max_row_groups});
  for (int ky = 0; ky < plan.size; ++ky)
    for (int kx = 0; kx < plan.size; ++kx) {
      int number = plan.units[ky * plan.size + kx];
      if (number == 0) continue;
      const int column = kx + skipped_columns(plan.radius), word = column / 4;
      for (int digit = mask.digits - 1; digit >= 0; --digit, number = next(number))
        mask.words[digit][word][ky] |= (static_cast<std::uint32_t>(number) & 0xff) << 8 * (column % 4);
      mask.first[word] = std::min(mask.first[word], static_cast<std::uint8_t>(ky / 4));
      mask.last[word] = std::max(mask.last[word], static_cast<std::uint8_t>((ky + 3) / 4 + 1));
    }
  return mask;
}

RealMask real_mask(const Plan& plan) {
  RealMask mask;
  for (int ky = 0; ky < plan.size; ++ky)
    for (int kx = 0; kx < plan.size; ++kx)
      mask.taps[ky][kx + skipped_columns(plan.radius)] = plan.taps[ky * plan.size + kx];
  return mask;
}

}  // namespace threadscape::convolution
