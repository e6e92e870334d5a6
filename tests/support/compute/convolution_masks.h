#pragma once
// Masks for each way in which convolution computes, for its tests on all backends.

#include <random>
#include <vector>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {

/// The parameters of a convolution with this mask of `size` x `size` values.
inline Convolution::Params custom(int size, std::vector<float> mask) {
  Convolution::Params params;
  params.size = size;
  params.mask = std::move(mask);
  params.assigned("mask");
  return params;
}

/// The mask of rank 1 that is the outer product of these factors, row by row.
inline std::vector<float> product(const std::vector<float>& column, const std::vector<float>& row) {
  std::vector<float> mask;
  for (const float y : column)
    for (const float x : row)
      mask.push_back(y * x);
  return mask;
}

/// `count` random multiples of `unit`, from -limit to limit units.
inline std::vector<float> random_values(std::mt19937& random, int count, int limit, float unit) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i)
    values.push_back(static_cast<float>(static_cast<int>(random() % static_cast<unsigned>(2 * limit + 1)) - limit) *
                     unit);
  return values;
}

/// The kinds of masks. digit: multiples of 1/4 whose numerators are signed bytes, half of them 0. digits: integers of
/// several bytes. fine: weights that no power of two makes integers. product: integers of rank 1 whose column sums fit
/// into 16 bits. wide_product: integers of rank 1 with larger column sums. fine_product: floats of rank 1.
enum class Mask { digit, digits, fine, product, wide_product, fine_product };
inline constexpr std::array masks{Mask::digit,   Mask::digits,       Mask::fine,
                                  Mask::product, Mask::wide_product, Mask::fine_product};

/// Parameters with a random mask of this kind, and a random divisor, bias, border and absolute value.
inline Convolution::Params random_params(std::mt19937& random, int size, Mask kind) {
  std::vector<float> mask;
  const auto factor = [&](int limit, float unit) { return random_values(random, size, limit, unit); };
  switch (kind) {
    case Mask::digit:
      mask = random_values(random, size * size, 127, 0.25f);
      for (float& tap : mask)
        if (random() % 2 == 0) tap = 0.0f;
      break;
    case Mask::digits:
      mask = random_values(random, size * size, 255, 1.0f);
      mask[random() % mask.size()] = 2000000.0f;
      break;
    case Mask::fine:
      mask = random_values(random, size * size, 300, 0.01f);
      break;
    case Mask::product:
      mask = product(factor(2, 0.5f), factor(100, 1.0f));
      break;
    case Mask::wide_product:
      mask = product(factor(100, 1.0f), factor(50, 1.0f));
      break;
    case Mask::fine_product:
      mask = product(factor(300, 0.01f), factor(200, 0.07f));
      break;
  }
  Convolution::Params params = custom(size, mask);
  params.divisor = std::array{1.0f, 7.0f, 2000.0f, -30.0f, 50000.7f}[random() % 5];
  params.bias = std::array{0.0f, 128.0f, -20.0f, 100.25f}[random() % 4];
  params.absolute = random() % 2 == 0;
  params.border = borders[random() % borders.size()];
  return params;
}

}  // namespace threadscape::testing
