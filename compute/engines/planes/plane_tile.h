#pragma once
// Tiles of one plane of a picture for filters on the CPU whose windows are large: values are copied out with all that
// lies around them, also outside of the picture, so that the filter itself needs no border tests.

#include <algorithm>
#include <cstddef>

#include "compute/engines/planes/planes.h"

namespace threadscape {

struct TileArea {
  int x, y, width, height;  ///< may reach outside of the picture

  [[nodiscard]] TileArea grown(int radius) const {
    return {x - radius, y - radius, width + 2 * radius, height + 2 * radius};
  }
};

/// to[row * pitch + column] = convert(value) for all of `area`.
template <class P, class To, class Convert>
void load_plane(ImageView<const typename P::Pixel> in, const TileArea& area, int plane, Border border, To* to,
                std::ptrdiff_t pitch, const Convert& convert) {
  using Value = typename P::Value;
  const int first = std::clamp(-area.x, 0, area.width);  // columns first .. last - 1 lie inside the picture
  const int last = std::clamp(in.width - area.x, first, area.width);
  for (int row = 0; row < area.height; ++row, to += pitch) {
    const int y = border_index(area.y + row, in.height, border);
    if (y < 0) {
      std::fill(to, to + area.width, convert(Value{0}));
      continue;
    }
    const auto* pixels = in.row(y);
    const auto outside = [&](int column) {
      const int x = border_index(area.x + column, in.width, border);
      to[column] = convert(x < 0 ? Value{0} : P::get(pixels[x], plane));
    };
    for (int column = 0; column < first; ++column)
      outside(column);
    for (int column = first; column < last; ++column)
      to[column] = convert(P::get(pixels[area.x + column], plane));
    for (int column = last; column < area.width; ++column)
      outside(column);
  }
}

/// The inverse for results, which writes nothing where Border::valid keeps the input.
template <class P, class From, class Convert>
void store_plane(const From* from, std::ptrdiff_t pitch, ImageView<typename P::Pixel> out, const TileArea& area,
                 int plane, int radius, Border border, const Convert& convert) {
  int first = 0, last = area.width;
  if (border == Border::valid) {
    first = std::clamp(radius - area.x, 0, area.width);
    last = std::clamp(out.width - radius - area.x, first, area.width);
  }
  for (int row = 0; row < area.height; ++row, from += pitch) {
    const int y = area.y + row;
    if (border == Border::valid && (y < radius || y >= out.height - radius)) continue;
    for (int column = first; column < last; ++column)
      P::set(out(area.x + column, y), plane, convert(from[column]));
  }
}

/// Copies the pixels of `area`: what belongs to no plane, and what Border::valid keeps.
template <class Pixel>
void copy_pixels(ImageView<const Pixel> in, ImageView<Pixel> out, const TileArea& area) {
  for (int y = area.y; y < area.y + area.height; ++y)
    std::copy_n(in.row(y) + area.x, area.width, out.row(y) + area.x);
}

}  // namespace threadscape
