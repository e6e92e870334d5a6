#pragma once
// A test picture that host and device code compute equally.

#include "compute/core/errors.h"
#include "compute/core/shape.h"

namespace threadscape::testing {

template <class T>
TS_HD T pattern_pixel(int x, int y, int phase) {
  const int value = x + 3 * y + phase;
  if constexpr (sizeof(T) == sizeof(float) * 4)
    return T{value + 0.25f, value + 1.25f, value + 2.25f, value + 3.25f};
  else if constexpr (std::is_class_v<T>) {
    using Channel = decltype(T::r);
    return T{static_cast<Channel>(value), static_cast<Channel>(value + 1), static_cast<Channel>(value + 2),
             static_cast<Channel>(value + 3)};
  } else if constexpr (std::is_same_v<T, float>)
    return value + 0.25f;
  else
    return static_cast<T>(value);
}

/// Calls `action` with a value of the pixel type of a texture's shape.
template <class Action>
void for_pixel_type(const Shape& shape, Action&& action) {
  if (holds<std::uint8_t>(shape)) return action(std::uint8_t{});
  if (holds<Rgba8>(shape)) return action(Rgba8{});
  if (holds<std::uint16_t>(shape)) return action(std::uint16_t{});
  if (holds<Rgba16>(shape)) return action(Rgba16{});
  if (holds<float>(shape)) return action(float{});
  if (holds<Rgba32f>(shape)) return action(Rgba32f{});
  throw UsageError("no pattern for " + to_string(shape));
}

}  // namespace threadscape::testing
