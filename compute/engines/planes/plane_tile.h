#pragma once
// Tiles of one plane of a picture for filters on the CPU whose windows are large: the values of a tile and of its halo
// are copied to an array, also those outside of the picture, so that the filter itself needs no tests for the border.
//
//   area.grown(radius) -> to[row * pitch + column]      results -> area
//   +-----------------+
//   |  halo           |      `radius` rows above and below, and as many columns to the left and right
//   |   +---------+   |
//   |   |  area   |   |
//   |   +---------+   |
//   |                 |
//   +-----------------+
//
// Filters with small windows and SIMD use tiles.h, which copies all planes at once; kernels use load_plane_tile()
// in plane_tile.cuh.

#include <algorithm>
#include <cstddef>

#include "compute/core/run.h"
#include "compute/engines/planes/lines.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

/// A rectangle of pixels, which may reach out of the picture.
struct TileArea {
  int x, y, width, height;

  /// The rectangle with a halo of `radius` pixels on every side.
  [[nodiscard]] TileArea grown(int radius) const {
    return {x - radius, y - radius, width + 2 * radius, height + 2 * radius};
  }
};

/// Copies one plane of `area`: to[row * pitch + column] = convert(value), counted from the corner of the area. Values
/// outside of the picture are those that `border` puts there.
template <class P, class To, class Convert>
void load_plane(ImageView<const typename P::Pixel> in, const TileArea& area, int plane, Border border, To* to,
                std::ptrdiff_t pitch, const Convert& convert) {
  for (int row = 0; row < area.height; ++row, to += pitch)
    read_line<P>(in, area.x, area.y + row, area.width, plane, border, to, convert);
}

/// Writes results to one plane of `area`, which lies inside the picture: the value becomes
/// convert(from[row * pitch + column]). Nothing is written where Border::valid keeps the input.
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

/// Copies the pixels of `area` from picture to picture, for what store_plane() leaves: alpha, and pixels that
/// Border::valid keeps.
template <class Pixel>
void copy_pixels(ImageView<const Pixel> in, ImageView<Pixel> out, const TileArea& area) {
  for (int y = area.y; y < area.y + area.height; ++y)
    std::copy_n(in.row(y) + area.x, area.width, out.row(y) + area.x);
}

/// The values of a tile with its halo, and its results, each with the distance of its rows.
template <class Value, class Result>
struct TilePlane {
  Value* values;
  std::ptrdiff_t pitch;
  const Result* results;
  std::ptrdiff_t result_pitch;
};

/// Filters `area` of the picture plane by plane: loads each plane with a halo of `radius` pixels into the tile, calls
/// filter(), and stores the results.
template <class P, class Value, class Result, class Filter>
void filter_area(const HostRun& run, const TileArea& area, int radius, Border border,
                 const TilePlane<Value, Result>& tile, const Filter& filter) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const auto out = run.out.image<Pixel>();
  copy_pixels(in, out, area);
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane<P>(in, area.grown(radius), plane, border, tile.values, tile.pitch,
                  [](typename P::Value value) { return static_cast<Value>(value); });
    filter();
    store_plane<P>(tile.results, tile.result_pitch, out, area, plane, radius, border,
                   [](Result result) { return static_cast<typename P::Value>(result); });
  }
}

}  // namespace threadscape
