#pragma once
// The maths of diamond-square, shared by all backends.
//
// Level l (1..n) works on a grid of 2^l + 1 points a side: points with two even coordinates are known from level l - 1,
// those with two odd coordinates are its diamond cells, the others its square cells. All coordinates here count in
// points of the level's own grid, so a terrain has the same shape whatever its n: levels only add detail.
//
//   diamond cell   mean of the four diagonal neighbours + displacement
//   square cell    mean of the neighbours left, right, above and below + displacement; at the rim three of them exist
//                  (Edges::three), or the grid goes on at the other side (Edges::wrap)
//
// classic: 8-bit heights, new = floor((sum + r) / count + 1/2), clamped to 0..255; r is a uniform integer in -h..h,
// with h = 128 at level 1, halved at each level, never below 1. fractal: float heights, new = sum / count + amplitude *
// 2^(-H l) * u; u is uniform over the odd multiples of 2^-15 in -1..1. Sums of squares are (left + right) + (above +
// below), of diamonds (above left + above right) + (below left + below right); a neighbour that does not exist counts
// as 0.
//
// Random numbers: the cell (x, y) of level l takes 16 bits of the Philox block with the counter (x / 16, y, l, x mod 2)
// and the seed as key: number (x / 2) mod 8 of its eight halves, low half of each word first. So one block serves eight
// cells of one row and one kind. Scaling k of 2^16 to 2h + 1 integers makes each of them as likely as 1 / (2h + 1) up
// to 2^-16.

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "compute/core/philox.h"

namespace threadscape::diamond_square {

enum class Mode : int { classic, fractal };
enum class Edges : int { three, wrap };

inline constexpr int most_levels = 15;  // 32769 x 32769 points

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int n = 0;      ///< the result has 2^n + 1 points a side
  int first = 0;  ///< the level of the grid to start from
  int grown = 0;  ///< the level up to which it grows: what lies between its points is interpolated
  Edges edges = Edges::three;
  std::uint64_t seed = 0;
  float scale[most_levels + 1] = {};  ///< fractal: amplitude * 2^(-H l) * 2^-15
};

/// Points of a level's grid but the last, a side.
TS_HD constexpr int cells_of(int level) {
  return 1 << level;
}
/// classic: displacements are -h..h.
TS_HD constexpr int height_of(int level) {
  return level < 8 ? 256 >> level : 1;
}

TS_HD constexpr std::uint32_t half_of(const PhiloxBlock& block, int number) {
  return block.word[number >> 1] >> (16 * (number & 1)) & 0xffff;
}
/// The random halves of the cells (16 group + odd + 2 i, y), i in 0..7.
TS_HD constexpr PhiloxBlock random_block(std::uint64_t seed, int level, int group, int y, int odd) {
  return philox({{static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(level),
                  static_cast<std::uint32_t>(odd)}},
                seed);
}
TS_HD constexpr std::uint32_t random_half(std::uint64_t seed, int level, int x, int y) {
  return half_of(random_block(seed, level, x >> 4, y, x & 1), x >> 1 & 7);
}

/// Sums of heights: exact for bytes.
template <class Height>
using SumOf = std::conditional_t<std::is_same_v<Height, float>, float, int>;

/// The height of a new cell from the sum of its `count` (3 or 4) neighbours.
template <class Height>
TS_HD inline Height new_height(const Plan& plan, int level, SumOf<Height> sum, int count, std::uint32_t half) {
  if constexpr (std::is_same_v<Height, float>) {
    const float displacement = static_cast<float>(static_cast<std::int16_t>(half) | 1) * plan.scale[level];
    return (count == 4 ? sum * 0.25f : sum / 3.0f) + displacement;
  } else {
    const int h = height_of(level);
    const int r = static_cast<int>(half * static_cast<std::uint32_t>(2 * h + 1) >> 16) - h;
    // Below zero the division by 3 rounds up instead of down, but that is clamped anyway.
    const int height = count == 4 ? (sum + r + 2) >> 2 : (sum + r + 1) / 3;
    return static_cast<Height>(height < 0 ? 0 : height > 255 ? 255 : height);
  }
}

/// The corner (x, y) of level 0, x and y 0 or 1: classic 0..255, fractal -amplitude..amplitude.
template <class Height>
TS_HD inline Height corner_height(const Plan& plan, int x, int y) {
  const int number = plan.edges == Edges::wrap ? 0 : 2 * y + x;
  const std::uint32_t half = half_of(random_block(plan.seed, 0, 0, 0, 0), number);
  if constexpr (std::is_same_v<Height, float>)
    return static_cast<float>(static_cast<std::int16_t>(half) | 1) * plan.scale[0];
  else
    return static_cast<Height>(half >> 8);
}

/// Where the random numbers of column or row i come from: under `wrap` the last is the first.
TS_HD constexpr int random_index(const Plan& plan, int level, int i) {
  return plan.edges == Edges::wrap ? i & (cells_of(level) - 1) : i;
}

/// `at(x, y)` gives known heights of the level's grid.
template <class Height, class At>
TS_HD inline Height diamond_cell(const Plan& plan, int level, int x, int y, const At& at) {
  using Sum = SumOf<Height>;
  const Sum above = static_cast<Sum>(at(x - 1, y - 1)) + static_cast<Sum>(at(x + 1, y - 1));
  const Sum below = static_cast<Sum>(at(x - 1, y + 1)) + static_cast<Sum>(at(x + 1, y + 1));
  return new_height<Height>(plan, level, above + below, 4, random_half(plan.seed, level, x, y));
}

/// As diamond_cell(), after all diamond cells of the level.
template <class Height, class At>
TS_HD inline Height square_cell(const Plan& plan, int level, int x, int y, const At& at) {
  using Sum = SumOf<Height>;
  const int cells = cells_of(level);
  const bool wrap = plan.edges == Edges::wrap;
  const auto neighbour = [&](int nx, int ny) -> Sum {
    if (nx < 0) nx = wrap ? cells - 1 : -1;
    if (ny < 0) ny = wrap ? cells - 1 : -1;
    if (nx > cells) nx = wrap ? 1 : -1;
    if (ny > cells) ny = wrap ? 1 : -1;
    return nx < 0 || ny < 0 ? Sum(0) : static_cast<Sum>(at(nx, ny));
  };
  const bool rim = !wrap && (x == 0 || y == 0 || x == cells || y == cells);
  const Sum across = neighbour(x - 1, y) + neighbour(x + 1, y);
  const Sum down = neighbour(x, y - 1) + neighbour(x, y + 1);
  const int from_x = random_index(plan, level, x), from_y = random_index(plan, level, y);
  return new_height<Height>(plan, level, across + down, rim ? 3 : 4, random_half(plan.seed, level, from_x, from_y));
}

/// Between two known heights, `i` of 2^bits steps; the ends are the heights themselves, so that tiles fit each other.
TS_HD inline float between(float a, float b, int i, int bits) {
  const int steps = 1 << bits;
  const float height = a + (b - a) * (static_cast<float>(i) * (1.0f / static_cast<float>(steps)));
  return i == 0 ? a : i == steps ? b : height;
}

/// Between the known heights a b of one row and c d of the next, at (x, y) of 2^bits steps: linear along x, then along
/// y. Bytes are exact, rounded to nearest (halves up).
template <class Height>
TS_HD inline Height between(Height a, Height b, Height c, Height d, int x, int y, int bits) {
  if constexpr (std::is_same_v<Height, float>) {
    return between(between(a, b, x, bits), between(c, d, x, bits), y, bits);
  } else {
    const std::int64_t above = (std::int64_t{a} << bits) + (int{b} - int{a}) * std::int64_t{x};
    const std::int64_t below = (std::int64_t{c} << bits) + (int{d} - int{c}) * std::int64_t{x};
    const std::int64_t sum = (above << bits) + (below - above) * y;
    return static_cast<Height>((sum + (std::int64_t{1} << (2 * bits) >> 1)) >> (2 * bits));
  }
}

}  // namespace threadscape::diamond_square
