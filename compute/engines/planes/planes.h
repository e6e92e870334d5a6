#pragma once
// From the shape of a picture to the type of its planes (compute/kernel/planes.h).

#include <type_traits>

#include "compute/core/border.h"
#include "compute/core/shape.h"
#include "compute/kernel/planes.h"

namespace threadscape {

/// Returns whether with_planes<Elements...>() supports the pixels of `shape`: grey or RGBA of one of these element
/// types.
template <class... Elements>
[[nodiscard]] constexpr bool holds_planes_of(const Shape& shape) {
  return ((holds<Elements>(shape) || holds<RgbaOf<Elements>>(shape)) || ...);
}

/// Calls `f(Planes<Pixel, channels>{})` with the pixel type of `shape`, grey or RGBA of one of Elements. For other
/// shapes nothing is called: an algorithm's output_shape() has refused them before.
template <class... Elements, class F>
void with_planes(const Shape& shape, Channels channels, F&& f) {
  const auto with = [&]<class Element>(std::type_identity<Element>) {
    if (holds<Element>(shape))
      f(Planes<Element, Channels::each>{});
    else if (holds<RgbaOf<Element>>(shape) && channels == Channels::each)
      f(Planes<RgbaOf<Element>, Channels::each>{});
    else if (holds<RgbaOf<Element>>(shape))
      f(Planes<RgbaOf<Element>, Channels::luma>{});
  };
  (with(std::type_identity<Elements>{}), ...);
}
/// The same for algorithms that have no choice of channels: `f` is not compiled for luma.
template <class... Elements, class F>
void with_planes(const Shape& shape, F&& f) {
  const auto with = [&]<class Element>(std::type_identity<Element>) {
    if (holds<Element>(shape))
      f(Planes<Element, Channels::each>{});
    else if (holds<RgbaOf<Element>>(shape))
      f(Planes<RgbaOf<Element>, Channels::each>{});
  };
  (with(std::type_identity<Elements>{}), ...);
}

}  // namespace threadscape
