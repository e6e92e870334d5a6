#pragma once
// Masks of every kind that convolution tells apart, for its tests on all backends.

#include <random>
#include <vector>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {

inline Convolution::Params custom(int size, std::vector<float> mask) {
  Convolution::Params params;
  params.size = size;
  params.mask = std::move(mask);
  params.assigned("mask");
  return params;
}

inline std::vector<float> product(const std::vector<float>& column, const std::vector<float>& row) {
  std::vector<float> mask;
  for (const float y : column)
    for (const float x : row)
      mask.push_back(y * x);
  return mask;
}

/// `count` values below `limit` in absolute value, in multiples of `unit`.
inline std::vector<float> random_values(std::mt19937& random, int count, int limit, float unit) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i)
    values.push_back(static_cast<float>(static_cast<int>(random() % static_cast<unsigned>(2 * limit + 1)) - limit) *
                     unit);
  return values;
}

/// The same picture in floats from 0 to 1.
inline HostArray float_picture(const HostArray& bytes) {
  const Shape& from = bytes.shape();
  HostArray floats(Shape::image(Element::f32, from.channels, from.width, from.height));
  for (std::int64_t y = 0; y < from.height; ++y)
    for (std::int64_t i = 0; i < from.width * from.channels; ++i)
      reinterpret_cast<float*>(floats.data() + static_cast<std::size_t>(y) * floats.pitch())[i] =
          static_cast<float>(std::to_integer<int>(
              bytes.data()[static_cast<std::size_t>(y) * bytes.pitch() + static_cast<std::size_t>(i)])) /
          255.0f;
  return floats;
}

/// digit: integers of one signed byte, in quarters, half of them 0. digits: larger ones. fine: weights that no power of
/// two makes whole. product: integers of rank 1, column sums of 16 bits; wide_product: of more; fine_product: floats of
/// rank 1.
enum class Mask { digit, digits, fine, product, wide_product, fine_product };
inline constexpr std::array masks{Mask::digit,   Mask::digits,       Mask::fine,
                                  Mask::product, Mask::wide_product, Mask::fine_product};

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
