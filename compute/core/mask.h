#pragma once
// Pictures as masks: pixels whose luma is at least half of white belong to the masked area.

#include <cstdint>
#include <type_traits>

#include "compute/core/border.h"
#include "compute/core/data.h"

namespace threadscape {

/// Returns whether a pixel belongs to the masked area.
template <class Pixel>
bool is_white(const Pixel& pixel) {
  if constexpr (std::is_class_v<Pixel>)
    return is_white(luma(pixel));
  else
    return 2 * static_cast<double>(pixel) >= static_cast<double>(white<Pixel>);
}

/// Calls f(x, y) for every pixel of the masked area, row by row. The picture may be of any type of pixel.
template <class F>
void for_white(const HostArray& picture, const F& f) {
  const auto visit = [&]<class Pixel>(Pixel) {
    if (!holds<Pixel>(picture.shape())) return;
    const auto pixels = picture.image<Pixel>();
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x)
        if (is_white(pixels(x, y))) f(x, y);
  };
  visit(std::uint8_t{});
  visit(std::uint16_t{});
  visit(0.0f);
  visit(Rgba8{});
  visit(Rgba16{});
  visit(Rgba32f{});
}

}  // namespace threadscape
