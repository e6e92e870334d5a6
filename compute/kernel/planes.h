#pragma once
// How a neighbourhood filter sees a picture: as one or more planes of plain numbers. Alpha belongs to no plane, so a
// filter leaves it as it was.
//
//   picture   channels         planes                             Planes<Pixel, channels>::count
//   grey      any              the pixels themselves              1
//   RGBA      Channels::each   r | g | b                          3
//   RGBA      Channels::luma   0.299 r + 0.587 g + 0.114 b        1, written to r, g and b alike

#include "compute/kernel/border.h"

namespace threadscape {

template <class Pixel, Channels channels>
struct Planes;

/// Grey pictures: the value is the pixel, whatever `channels` says.
template <class T, Channels channels>
requires std::is_arithmetic_v<T>
struct Planes<T, channels> {
  using Pixel = T;
  using Value = T;
  static constexpr int count = 1;
  TS_HD static Value get(Pixel pixel, int) { return pixel; }
  TS_HD static void set(Pixel& pixel, int, Value value) { pixel = value; }
};

/// RGBA pictures, channel by channel.
template <class Colour>
requires std::is_class_v<Colour>
struct Planes<Colour, Channels::each> {
  using Pixel = Colour;
  using Value = decltype(Colour::r);
  static constexpr int count = 3;
  TS_HD static Value get(const Pixel& pixel, int plane) {
    return plane == 0 ? pixel.r : plane == 1 ? pixel.g : pixel.b;
  }
  TS_HD static void set(Pixel& pixel, int plane, Value value) {
    if (plane == 0)
      pixel.r = value;
    else if (plane == 1)
      pixel.g = value;
    else
      pixel.b = value;
  }
};

/// RGBA pictures by their luma; a result becomes a grey pixel.
template <class Colour>
requires std::is_class_v<Colour>
struct Planes<Colour, Channels::luma> {
  using Pixel = Colour;
  using Value = decltype(Colour::r);
  static constexpr int count = 1;
  TS_HD static Value get(const Pixel& pixel, int) { return luma(pixel); }
  TS_HD static void set(Pixel& pixel, int, Value value) { pixel.r = pixel.g = pixel.b = value; }
};

/// The value of one plane at (x, y); outside of the picture it is what `border` puts there.
template <class P, class View>
TS_HD typename P::Value plane_value(const View& in, int x, int y, int plane, Border border) {
  const int column = border_index(x, in.width, border);
  const int row = border_index(y, in.height, border);
  if (column < 0 || row < 0) return 0;  // Border::zero
  return P::get(in(column, row), plane);
}

/// Returns whether the window of this radius around (x, y) reaches out of the picture: there Border::valid keeps the
/// input pixel.
TS_HD inline bool window_leaves(int x, int y, int width, int height, int radius) {
  return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

}  // namespace threadscape
