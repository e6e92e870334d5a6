#pragma once
// Border::shrink: at the border of a picture only the part of a mask counts that lies inside of it.
//
//     mask 1 2 1      |  . . .       At a corner, the weights 4 2 / 2 1 of the mask lie inside. They add up to 9 of 16,
//          2 4 2    --+-------       so their sum of pixels is multiplied by 16 / 9: as strong as the sum of a whole
//          1 2 1    . | 4 2 .        mask, and a flat picture stays flat.
//                   . | 2 1 .
//
// The sum of the weights inside takes part only where neither it nor the sum of the whole mask is 0. Otherwise, as for
// masks of differences, the sum of the pixels stays as it is, which is the result of Border::zero.
//
// Filters compute the whole picture with zeros outside at first, without asking for the border, and then the pixels
// once more whose window leaves the picture.

#include "compute/kernel/views.h"

namespace threadscape {

/// The taps first .. end - 1 of a row or column of `size` taps that lie inside of a picture which is `extent` long;
/// tap 0 lies at `start`.
struct TapsInside {
  int first, end;

  TS_HD TapsInside(int size, int start, int extent)
      : first(start < 0 ? -start : 0), end(start + size > extent ? extent - start : size) {}
};

/// The sum of taps first .. end - 1 of a row or column, from left to right.
template <class Sum, class Tap>
TS_HD Sum weight_of(const Tap* taps, TapsInside inside) {
  Sum sum{0};
  for (int i = inside.first; i < inside.end; ++i)
    sum += taps[i];
  return sum;
}

/// The sum of the pixels under a mask, as strong as if the whole mask lay inside: sum * whole / inside, where `whole`
/// and `inside` are sums of weights. Floats: one rounding for the product and one for the quotient.
TS_HD inline float completed(float sum, float whole, float inside) {
  return whole == 0.0f || inside == 0.0f ? sum : sum * whole / inside;
}
/// The bound of completed() for integers, 2^31 - 2^21: 32 bits hold the sum and all that finish_whole() adds to it.
inline constexpr std::int64_t max_completed = 2145386496;
/// The same in integers, rounded to the nearest one, halves up, and limited to +-max_completed. The product must fit
/// into 62 bits.
TS_HD inline int completed(int sum, std::int64_t whole, std::int64_t inside) {
  if (whole == 0 || inside == 0) return sum;
  std::int64_t n = 2 * whole * sum, d = 2 * inside;
  if (d < 0) {
    n = -n;
    d = -d;
  }
  n += d / 2;
  std::int64_t quotient = n / d;
  if (n % d < 0) --quotient;  // Division truncates, and rounding goes down.
  if (quotient > max_completed) quotient = max_completed;
  if (quotient < -max_completed) quotient = -max_completed;
  return static_cast<int>(quotient);
}

/// The blocks of width x height pixels that hold a pixel within `radius` of an edge of the picture, numbered from 0 on:
/// first whole rows of blocks at the top, then at the bottom, then between them the blocks at the left and right.
///
///     0 1 2 3
///     8     9        A grid of 4 x 4 blocks, whose blocks at the edge hold all such pixels.
///    10    11
///     4 5 6 7
struct EdgeBlocks {
  int across, top, bottom, left, right;  // counts of blocks; the latter four at the edges of the picture
  int between;                           // rows of blocks that are neither at the top nor at the bottom

  TS_HD EdgeBlocks(int picture_width, int picture_height, int radius, int width, int height)
      : across((picture_width + width - 1) / width) {
    const int down = (picture_height + height - 1) / height;
    const auto near = [&](int block) { return (radius + block - 1) / block; };
    const auto far = [&](int extent, int block, int blocks) {
      const int first = extent - radius > 0 ? (extent - radius) / block : 0;
      return blocks - first;
    };
    top = near(height) < down ? near(height) : down;
    bottom = far(picture_height, height, down);
    if (bottom > down - top) bottom = down - top;
    between = down - top - bottom;
    left = near(width) < across ? near(width) : across;
    right = far(picture_width, width, across);
    if (right > across - left) right = across - left;
  }

  [[nodiscard]] TS_HD int count() const { return (top + bottom) * across + between * (left + right); }

  struct Block {
    int column, row;
  };
  [[nodiscard]] TS_HD Block block(int i) const {
    if (i < top * across) return {i % across, i / across};
    i -= top * across;
    if (i < bottom * across) return {i % across, top + between + i / across};
    i -= bottom * across;
    const int row = i / (left + right), column = i % (left + right);
    return {column < left ? column : across - (left + right) + column, top + row};
  }
};

/// Calls f(y, first, end) for the columns first .. end - 1 of rows y0 .. y1 - 1 whose window of this radius leaves the
/// picture.
template <class F>
void for_each_edge_part(int width, int height, int radius, int y0, int y1, const F& f) {
  for (int y = y0; y < y1; ++y) {
    if (y < radius || y >= height - radius || width <= 2 * radius) {
      f(y, 0, width);
      continue;
    }
    f(y, 0, radius);
    f(y, width - radius, width);
  }
}

}  // namespace threadscape
