#pragma once
// The reading of a picture by filters: a part of a row at a time, plane by plane, with the values that a border rule
// puts outside of the picture. The interior of the picture is read without asking for the border.

#include <algorithm>

#include "compute/engines/planes/planes.h"

namespace threadscape {

/// Pixels of a row whose results are computed together.
inline constexpr int stretch = 256;

/// Pixels at both ends of a row whose windows may reach over the border. They are a short stretch of their own, because
/// lines that reach over the border are copied.
inline constexpr int row_end = 32;

/// The length of the stretch that begins at column x, of a row whose results end before column `end`.
inline int stretch_from(int x, int end, int width) {
  const int inner_end = width - row_end;
  if (x < row_end || x >= inner_end) return std::min(end - x, row_end);
  return std::min(stretch, inner_end - x);
}

/// Writes `count` values of one plane, from column x of row y on, to `line`, each as convert(value). Columns and the
/// row may lie outside.
template <class P, class Number, class Convert>
void read_line(ImageView<const typename P::Pixel> in, int x, int y, int count, int plane, Border border, Number* line,
               const Convert& convert) {
  const int row = border_index(y, in.height, border);
  if (row < 0) {
    std::fill_n(line, count, convert(typename P::Value{0}));
    return;
  }
  const int first = std::clamp(-x, 0, count), end = std::clamp(in.width - x, first, count);
  const auto at_border = [&](int i) { line[i] = convert(plane_value<P>(in, x + i, row, plane, border)); };
  for (int i = 0; i < first; ++i)
    at_border(i);
  for (int i = first; i < end; ++i)
    line[i] = convert(P::get(in(x + i, row), plane));
  for (int i = end; i < count; ++i)
    at_border(i);
}
/// read_line() for values that become a Number.
template <class P, class Number>
void read_line(ImageView<const typename P::Pixel> in, int x, int y, int count, int plane, Border border, Number* line) {
  read_line<P>(in, x, y, count, plane, border, line,
               [](typename P::Value value) { return static_cast<Number>(value); });
}

/// The values of read_line() in the picture itself where they lie there as they are, in the interior of a grey picture;
/// otherwise in `buffer`, which has room for them. Inlined, because a call for every line of a stretch, which passes
/// the view on the stack, would cost a quarter of the time of a small filter.
template <class P>
[[gnu::always_inline]] inline const typename P::Value* line_of(ImageView<const typename P::Pixel> in, int x, int y,
                                                               int count, int plane, Border border,
                                                               typename P::Value* buffer) {
  if constexpr (std::is_same_v<typename P::Pixel, typename P::Value>)
    if (x >= 0 && y >= 0 && x + count <= in.width && y < in.height) return in.row(y) + x;
  read_line<P>(in, x, y, count, plane, border, buffer);
  return buffer;
}

/// Where to put the results of a line from pixel (x, y) on: into a grey picture itself, otherwise into `buffer`.
template <class P>
typename P::Value* results_of(ImageView<typename P::Pixel> out, int x, int y, typename P::Value* buffer) {
  if constexpr (std::is_same_v<typename P::Pixel, typename P::Value>)
    return &out(x, y);
  else
    return buffer;
}
/// Sets one plane of `count` pixels to results that results_of() has put into a buffer.
template <class P>
void set_line(ImageView<typename P::Pixel> out, int x, int y, int count, int plane, const typename P::Value* results) {
  if constexpr (!std::is_same_v<typename P::Pixel, typename P::Value>)
    for (int i = 0; i < count; ++i)
      P::set(out(x + i, y), plane, results[i]);
}

/// Copies row y where something of it stays: alpha, and the border for Border::valid.
template <class Pixel>
void keep_row(ImageView<const Pixel> in, ImageView<Pixel> out, int y, Border border) {
  if (std::is_class_v<Pixel> || border == Border::valid) std::copy(in.row(y), in.row(y) + in.width, out.row(y));
}

/// The columns first .. end - 1 of row y for which a filter computes results: all, or for Border::valid those whose
/// window of this radius lies in the picture.
struct Columns {
  int first, end;

  Columns(int y, int width, int height, int radius, Border border) : first(0), end(width) {
    if (border != Border::valid) return;
    const bool rows_inside = y >= radius && y < height - radius;
    first = rows_inside ? radius : width;
    end = width - radius;
  }
};

}  // namespace threadscape
