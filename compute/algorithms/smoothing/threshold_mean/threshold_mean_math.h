#pragma once
// The arithmetic of the mean with a threshold, shared by all backends.

#include "compute/kernel/border.h"
#include "compute/kernel/finish.h"
#include "compute/kernel/views.h"

namespace threadscape::threshold_mean {

inline constexpr int max_size = 31, max_radius = max_size / 2;

/// The type of sums. Integer sums are exact. Floats are summed in a fixed order: every column of the window from top to
/// bottom, then the column sums from left to right.
template <class Value>
struct SumOf;
template <>
struct SumOf<std::uint8_t> {
  using type = std::int32_t;
};
template <>
struct SumOf<float> {
  using type = float;
};
template <class Value>
using Sum = typename SumOf<Value>::type;

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int size = 3;
  float threshold = 0.0f;    ///< In grey levels, 0 .. 255.
  float inverse = 1.0f / 9;  ///< 1 / size^2
  Border border = Border::mirror;
  Channels channels = Channels::each;

  [[nodiscard]] TS_HD int radius() const { return size / 2; }
};

/// The mean of bytes, rounded to nearest; halves do not occur, because the count is odd. The quotient (sum + count / 2)
/// / count is an integer or at least 1 / count away from one. With 0.5 / count added before the multiplication by the
/// rounded inverse, truncation is exact: the error of the product, at most 256 * 2^-22, is smaller than 0.5 / 961.
TS_HD inline int mean_of(std::int32_t sum, const Plan& plan) {
  return static_cast<int>((static_cast<float>(sum + plan.size * plan.size / 2) + 0.5f) * plan.inverse);
}
/// Bound of what rounding leaves in a mean of equal floats, relative to them: a sum of n equal numbers that are added
/// one by one is off by less than (n + 1) / 2 roundings, and there are two such sums and a quotient.
TS_HD inline float flat_error(const Plan& plan) {
  return static_cast<float>(plan.size + 3) * 0x1p-24f;
}

/// The mean, for floats settled(), if it differs from the old value by at most the threshold, else the old value; `sum`
/// is that of the window.
TS_HD inline std::uint8_t chosen(std::uint8_t old, std::int32_t sum, const Plan& plan) {
  const int mean = mean_of(sum, plan), difference = mean < old ? old - mean : mean - old;
  return static_cast<float>(difference) <= plan.threshold ? static_cast<std::uint8_t>(mean) : old;
}
TS_HD inline float chosen(float old, float sum, const Plan& plan) {
  const float mean = settled(sum / static_cast<float>(plan.size * plan.size), old, flat_error(plan));
  const float difference = mean < old ? old - mean : mean - old;
  return difference <= plan.threshold / 255.0f ? mean : old;
}

}  // namespace threadscape::threshold_mean
