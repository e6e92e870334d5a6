#pragma once
// How a neighbourhood filter sees a picture: as one or more planes of plain numbers. A grey picture is one plane, a
// colour picture three (each channel by itself) or one (its luma). Alpha belongs to no plane, so it is kept.

#include "compute/core/border.h"
#include "compute/core/shape.h"
#include "compute/core/views.h"

namespace threadscape {

template <class Pixel, Channels channels>
struct Planes;

/// Grey: the value is the pixel, whatever `channels` says.
template <Channels channels>
struct Planes<std::uint8_t, channels> {
  using Pixel = std::uint8_t;
  using Value = std::uint8_t;
  static constexpr int count = 1;
  TS_HD static Value get(Pixel pixel, int) { return pixel; }
  TS_HD static void set(Pixel& pixel, int, Value value) { pixel = value; }
};

template <>
struct Planes<Rgba8, Channels::each> {
  using Pixel = Rgba8;
  using Value = std::uint8_t;
  static constexpr int count = 3;
  TS_HD static Value get(Pixel pixel, int plane) { return plane == 0 ? pixel.r : plane == 1 ? pixel.g : pixel.b; }
  TS_HD static void set(Pixel& pixel, int plane, Value value) {
    if (plane == 0)
      pixel.r = value;
    else if (plane == 1)
      pixel.g = value;
    else
      pixel.b = value;
  }
};

template <>
struct Planes<Rgba8, Channels::luma> {
  using Pixel = Rgba8;
  using Value = std::uint8_t;
  static constexpr int count = 1;
  TS_HD static Value get(Pixel pixel, int) { return luma(pixel); }
  TS_HD static void set(Pixel& pixel, int, Value value) { pixel.r = pixel.g = pixel.b = value; }
};

/// Calls `f(Planes<Pixel, channels>{})` for the pixel type of `shape` and for `channels`.
/// The shape has been checked by output_shape().
template <class F>
void with_planes(const Shape& shape, Channels channels, F&& f) {
  if (holds<std::uint8_t>(shape))
    f(Planes<std::uint8_t, Channels::each>{});
  else if (channels == Channels::each)
    f(Planes<Rgba8, Channels::each>{});
  else
    f(Planes<Rgba8, Channels::luma>{});
}

/// The value of one plane at (x, y), which may lie outside the picture.
template <class P, class View>
TS_HD typename P::Value plane_value(const View& in, int x, int y, int plane, Border border) {
  const int column = border_index(x, in.width, border);
  const int row = border_index(y, in.height, border);
  if (column < 0 || row < 0) return 0;  // Border::zero
  return P::get(in(column, row), plane);
}

/// Whether the window of this radius around (x, y) leaves the picture: there Border::valid keeps the input pixel.
TS_HD inline bool window_leaves(int x, int y, int width, int height, int radius) {
  return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

}  // namespace threadscape
