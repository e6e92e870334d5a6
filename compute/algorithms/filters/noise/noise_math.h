#pragma once
// The noise of one value of a picture, shared by all backends. All random numbers come from Philox with the seed as the
// key and the pixel and its plane as the counter, so noise is the same on every backend and for any number of threads.

#include "compute/kernel/border.h"
#include "compute/kernel/philox.h"

namespace threadscape::noise {

enum class Kind : int { salt_pepper, gaussian, uniform };

/// The parameters of a run, passed to kernels by value.
struct Plan {
  Kind kind = Kind::salt_pepper;
  std::uint32_t threshold = 0;  ///< salt_pepper: a pixel changes if its random word is less than this.
  float scale = 0.0f;           ///< gaussian: standard deviation; uniform: half the width. In units of the pixels.
  Channels channels = Channels::each;
  std::uint64_t seed = 0;
};

/// Four random words for one plane of a pixel. The last word of the counter is the kind, so kinds share no random
/// words.
TS_HD inline PhiloxBlock random_words(const Plan& plan, int x, int y, int plane) {
  return philox({{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(plane),
                  static_cast<std::uint32_t>(plan.kind)}},
                plan.seed);
}

/// The mean of the sum of eight uniform 16-bit integers, and the inverse of its standard deviation; the variance of
/// each of them is (2^32 - 1) / 12.
inline constexpr std::int32_t normal_centre = 8 * 65535 / 2;
inline constexpr float normal_factor = 1.0f / 53509.97f;

/// A random number with mean 0 and standard deviation 1: the scaled sum of eight uniform 16-bit integers, whose
/// distribution is normal but for the far tails (it ends at 4.9, and its excess kurtosis is -0.15). Integers are
/// summed, so it is the same on every backend.
TS_HD inline float normal(const PhiloxBlock& random) {
  std::int32_t sum = -normal_centre;
  for (const std::uint32_t word : random.word)
    sum += static_cast<std::int32_t>((word & 0xffff) + (word >> 16));
  return static_cast<float>(sum) * normal_factor;
}

/// A uniform random number in -1..1.
TS_HD inline float symmetric(const PhiloxBlock& random) {
  return 2.0f * unit_float(random.word[0]) - 1.0f;
}

/// value + offset. For integers it is rounded to nearest, where x.5 is rounded up, and saturated; floats are neither.
template <class Value>
TS_HD Value add(Value value, float offset) {
  if constexpr (std::is_floating_point_v<Value>) {
    return value + offset;
  } else {
    const float sum = floorf(static_cast<float>(value) + offset + 0.5f);
    constexpr auto white_level = static_cast<float>(white<Value>);
    return static_cast<Value>(sum < 0.0f ? 0.0f : sum > white_level ? white_level : sum);
  }
}

/// A value with the noise that these random words give.
template <class Value>
TS_HD inline Value disturb(const Plan& plan, Value value, const PhiloxBlock& random) {
  switch (plan.kind) {
    case Kind::salt_pepper: {
      const Value changed = random.word[1] & 1 ? white<Value> : Value(0);
      return random.word[0] < plan.threshold ? changed : value;
    }
    case Kind::gaussian:
      return add(value, plan.scale * normal(random));
    default:
      return add(value, plan.scale * symmetric(random));
  }
}

/// Adds noise to all planes of a pixel. With Channels::luma r, g and b get the same noise (not the same value, as
/// filters give them): grey noise on a colour picture.
template <class P>
TS_HD inline void disturb_pixel(const Plan& plan, typename P::Pixel& pixel, int x, int y) {
  for (int plane = 0; plane < P::count; ++plane)
    P::set(pixel, plane,
           disturb(plan, P::get(pixel, plane), random_words(plan, x, y, plan.channels == Channels::luma ? 0 : plane)));
}

}  // namespace threadscape::noise
