#pragma once
// The arithmetic of the mean with a threshold, shared by all backends.

#include <cstdint>

#include "compute/core/border.h"
#include "compute/core/views.h"

namespace threadscape::threshold_mean {

inline constexpr int max_size = 31, max_radius = max_size / 2;

/// What values are summed in. Integer sums are exact. Floats are summed in a fixed order: every column of the window
/// from top to bottom, then the sums of the columns from left to right.
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
  float threshold = 0.0f;  ///< in grey levels, 0..255
  float inverse = 1.0f / 9;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  [[nodiscard]] TS_HD int radius() const { return size / 2; }
};

/// The mean, rounded to nearest (halves cannot occur: the count is odd). The quotient (sum + count / 2) / count lies at
/// least 1 / count away from the integers that it is not, so half of that added before multiplying by the rounded
/// inverse makes cutting off exact: the error of the product, at most 256 * 2^-22, is smaller than 0.5 / 961.
TS_HD inline int mean_of(std::int32_t sum, const Plan& plan) {
  return static_cast<int>((static_cast<float>(sum + plan.size * plan.size / 2) + 0.5f) * plan.inverse);
}
TS_HD inline float mean_of(float sum, const Plan& plan) {
  return sum / static_cast<float>(plan.size * plan.size);
}

/// The mean if it differs from the old value by at most the threshold, else the old value.
TS_HD inline std::uint8_t chosen(std::uint8_t old, std::int32_t sum, const Plan& plan) {
  const int mean = mean_of(sum, plan), difference = mean < old ? old - mean : mean - old;
  return static_cast<float>(difference) <= plan.threshold ? static_cast<std::uint8_t>(mean) : old;
}
TS_HD inline float chosen(float old, float sum, const Plan& plan) {
  const float mean = mean_of(sum, plan), difference = mean < old ? old - mean : mean - old;
  return difference <= plan.threshold / 255.0f ? mean : old;
}

}  // namespace threadscape::threshold_mean
