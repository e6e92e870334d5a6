#pragma once
// The masks of the rotating-mask filter and how they are compared, shared by all backends.

#include "compute/kernel/border.h"
#include "compute/kernel/views.h"

namespace threadscape::rotating_mask {

enum class Method : int { nagao, kuwahara };

inline constexpr int max_size = 9, max_radius = max_size / 2;

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int size = 5;
  Method method = Method::nagao;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  [[nodiscard]] TS_HD int radius() const { return size / 2; }
};

TS_HD constexpr int mask_count(Method method) {
  return method == Method::nagao ? 9 : 4;
}

/// The offsets first .. last, both included.
struct Range {
  int first, last;
};
TS_HD constexpr int min_of(int a, int b) {
  return a < b ? a : b;
}
TS_HD constexpr int max_of(int a, int b) {
  return a > b ? a : b;
}

/// The rows of a mask, relative to the pixel. For both methods a mask is a range of rows with a range of columns in
/// each.
///
///   kuwahara 5x5, mask 0        nagao 5x5: 0 square      1 pentagon           6 hexagon
///        x x x . .                   . . . . .           . x x x .            . . . . .
///        x x x . .                   . x x x .           . x x x .            . . . . .
///        x x o . .                   . x o x .           . . o . .            . . o x .
///        . . . . .                   . x x x .           . . . . .            . . x x x
///        . . . . .                   . . . . .           . . . . .            . . . x x
///
/// kuwahara: the quadrants of the window, each with the pixel in its corner: upper left, upper right, lower left, lower
/// right. nagao: 0 a square around the pixel; 1 to 4 pentagons with the pixel as their tip, pointing up, right, down
/// and left; 5 to 8 hexagons along the diagonals, upper right, lower right, lower left, upper left. With half = (radius
/// + 1) / 2, a pentagon grows by a pixel to either side per step until it is 2 half + 1 wide, and a hexagon is what
/// lies at most half beside its diagonal. Size 5 gives the nine masks of Nagao and Matsuyama, 9, 7 and 7 pixels large.
/// Pentagons and hexagons are equally large for every size.
TS_HD constexpr Range rows_of(Method method, int mask, int radius) {
  const int half = (radius + 1) / 2;
  if (method == Method::kuwahara) return mask < 2 ? Range{-radius, 0} : Range{0, radius};
  if (mask == 0 || mask == 2 || mask == 4) return {-half, half};
  return mask == 1 || mask == 5 || mask == 8 ? Range{-radius, 0} : Range{0, radius};
}
/// The columns of a mask in row dy, which is one of rows_of().
TS_HD constexpr Range columns_of(Method method, int mask, int radius, int dy) {
  const int half = (radius + 1) / 2, away = dy < 0 ? -dy : dy;
  if (method == Method::kuwahara) return mask % 2 == 0 ? Range{-radius, 0} : Range{0, radius};
  const int from = max_of(0, away - half),
            to = min_of(radius, away + half);  // the columns of hexagons, mirrored or not
  switch (mask) {
    case 0:
      return {-half, half};
    case 1:
    case 3:
      return {-min_of(away, half), min_of(away, half)};
    case 2:
      return {away, radius};
    case 4:
      return {-radius, -away};
    case 5:
    case 6:
      return {from, to};
    default:
      return {-to, -from};
  }
}
/// The number of pixels of a mask.
TS_HD constexpr int pixels_of(Method method, int mask, int radius) {
  int count = 0;
  const Range rows = rows_of(method, mask, radius);
  for (int dy = rows.first; dy <= rows.last; ++dy) {
    const Range columns = columns_of(method, mask, radius, dy);
    count += columns.last - columns.first + 1;
  }
  return count;
}

/// The statistics of a mask: the sums of its values (for floats, of their differences from the pixel) and of their
/// squares, and the spread, which grows with the variance.
template <class Value>
struct Mask;

/// Bytes, exact: the variance is spread / count^2 with spread = count * (sum of squares) - sum^2, which is below 2^24.
template <>
struct Mask<std::uint8_t> {
  std::int32_t sum = 0, squares = 0;
  std::int32_t count = 0;
  std::uint32_t spread = 0;

  TS_HD void add(std::uint8_t value, std::uint8_t) {
    sum += value;
    squares += value * value;
    ++count;
  }
  TS_HD void finish() { spread = static_cast<std::uint32_t>(count * squares - sum * sum); }
  /// Counts differ only between the square of up to 25 pixels and other masks of up to 19, so products stay below 2^32.
  TS_HD bool varies_less_than(const Mask& other) const {
    if (count == other.count) return spread < other.spread;
    return spread * static_cast<std::uint32_t>(other.count * other.count) <
           other.spread * static_cast<std::uint32_t>(count * count);
  }
  /// The mean, rounded to nearest, halves up.
  TS_HD std::uint8_t mean(std::uint8_t) const { return static_cast<std::uint8_t>((2 * sum + count) / (2 * count)); }
};

/// Floats, summed in a fixed order: rows from top to bottom, each from left to right. The spread is the variance.
template <>
struct Mask<float> {
  float sum = 0.0f, squares = 0.0f;
  int count = 0;
  float spread = 0.0f;

  TS_HD void add(float value, float centre) {
    const float difference = value - centre;
    sum += difference;
    squares += difference * difference;
    ++count;
  }
  TS_HD void finish() {
    const float mean = sum / static_cast<float>(count);
    spread = squares / static_cast<float>(count) - mean * mean;
  }
  TS_HD bool varies_less_than(const Mask& other) const { return spread < other.spread; }
  TS_HD float mean(float centre) const { return centre + sum / static_cast<float>(count); }
};

/// The mean of the mask that varies least, of the first one if there are several. value(dx, dy) is the neighbour at
/// this offset.
template <class Value, class Read>
TS_HD Value filtered(const Read& value, Value centre, Method method, int radius) {
  Mask<Value> best;
  for (int i = 0; i < mask_count(method); ++i) {
    Mask<Value> mask;
    const Range rows = rows_of(method, i, radius);
    for (int dy = rows.first; dy <= rows.last; ++dy) {
      const Range columns = columns_of(method, i, radius, dy);
      for (int dx = columns.first; dx <= columns.last; ++dx)
        mask.add(value(dx, dy), centre);
    }
    mask.finish();
    if (i == 0 || mask.varies_less_than(best)) best = mask;
  }
  return best.mean(centre);
}

}  // namespace threadscape::rotating_mask
