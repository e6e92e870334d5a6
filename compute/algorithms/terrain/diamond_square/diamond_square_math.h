#pragma once
// The formulas of diamond-square, shared by all backends.
//
// Level l (1..n) works on a grid of 2^l + 1 points a side. Points with two even coordinates are known from level l - 1,
// points with two odd coordinates are the diamond cells of the level, and the others are its square cells. Coordinates
// count points of the level's own grid, so a terrain has the same shape for every n: levels only add detail.
//
//   K s K s K     K = known, D = diamond cell, s = square cell
//   s D s D s
//   K s K s K     diamond cell   mean of the four diagonal neighbours + displacement
//   s D s D s     square cell    mean of the neighbours left, right, above and below + displacement; at the rim three
//   K s K s K                    of them exist (Edges::three), or the grid continues at the other side (Edges::wrap)
//
// classic: 8-bit heights, new = floor((sum + r) / count + 1/2), clamped to 0..255; r is a uniform integer in -h..h,
// with h = 128 at level 1, halved at each level, but at least 1.
// classic with Arithmetic::bytes, as fragment 12 of source document 000 computes: r is in -h..h - 1, the division cuts
// off towards zero, and the byte that stores the result keeps it modulo 256, so that a height below 0 becomes a bright
// one.
// fractal: float heights, new = sum / count + amplitude * 2^(-H l) * u; u is uniform over the odd multiples of 2^-15 in
// -1..1.
// A growth may end with the diamond step of its last level. The square cells of that level then lie halfway between the
// two of their neighbours that are known from the level before; for bytes the mean is rounded to nearest, ties up.
// The sum of a square cell is (left + right) + (above + below), that of a diamond cell (above left + above right) +
// (below left + below right); a neighbour that does not exist counts as 0.
//
// Random numbers of philox: the cell (x, y) of level l takes 16 bits of the Philox block with the counter (x / 16, y,
// l, x mod 2) and the seed as key. The block has eight 16-bit numbers, the lower one of each word first; the cell takes
// number (x / 2) mod 8. So a block serves eight cells of one row and one kind. Scaling a number of 16 bits to 2h + 1
// integers makes each of them equally likely up to 2^-16.
//
// Random numbers of xorwow and xorwow_seeded come from a table, which diamond_square_xorwow.h describes. The corners
// take its first four numbers, then every step takes as many as it has cells, row by row; number_of() is the place of a
// cell.

#include "compute/kernel/philox.h"

namespace threadscape::diamond_square {

enum class Mode : int { classic, fractal };
enum class Edges : int { three, wrap };
enum class Random : int { philox, xorwow, xorwow_seeded };
enum class Arithmetic : int { rounded, bytes };

inline constexpr int max_levels = 15;  // 32769 x 32769 points

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int n = 0;                        ///< The level of the result, which has 2^n + 1 points a side.
  int first = 0;                    ///< The level of the grid to start from.
  int grown = 0;                    ///< The last level that is computed; between its points the result is interpolated.
  bool ends_with_diamonds = false;  ///< If true, only the diamond step of level `grown` is computed.
  Edges edges = Edges::three;
  Random random = Random::philox;
  Arithmetic arithmetic = Arithmetic::rounded;  ///< How means of heights that are bytes are rounded.
  std::uint64_t seed = 0;
  const std::uint16_t* numbers = nullptr;  ///< The table of random numbers; null if they are computed by Philox.
  float scale[max_levels + 1] =
      {};  ///< Scale of displacements of each level l (fractal): amplitude * 2^(-H l) * 2^-15.

  /// The last level that is computed with both of its steps, or that the terrain starts from.
  [[nodiscard]] TS_HD constexpr int complete() const { return ends_with_diamonds && grown > 0 ? grown - 1 : grown; }
};

/// Number of cells of a level's grid along a side, one less than its points.
TS_HD constexpr int cells_of(int level) {
  return 1 << level;
}
/// classic: the maximum displacement h of a level.
TS_HD constexpr int height_of(int level) {
  return level < 8 ? 256 >> level : 1;
}

/// 16-bit number `number` of a Philox block, 0..7.
TS_HD constexpr std::uint32_t random_u16_of(const PhiloxBlock& block, int number) {
  return block.word[number >> 1] >> (16 * (number & 1)) & 0xffff;
}
/// The block with the random numbers of the cells (16 group + odd + 2 i, y), 0 <= i < 8.
TS_HD constexpr PhiloxBlock random_block(std::uint64_t seed, int level, int group, int y, int odd) {
  return philox({{static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(level),
                  static_cast<std::uint32_t>(odd)}},
                seed);
}
/// The random number of the cell (x, y).
TS_HD constexpr std::uint32_t random_u16(std::uint64_t seed, int level, int x, int y) {
  return random_u16_of(random_block(seed, level, x >> 4, y, x & 1), x >> 1 & 7);
}

/// The number of points of a level's grid.
TS_HD constexpr std::uint32_t points_of(int level) {
  const std::uint32_t side = static_cast<std::uint32_t>(cells_of(level)) + 1;
  return side * side;
}
/// The place in the table of the random number of the new cell (x, y) of a level. Cells before it have the numbers of
/// the points that are known.
TS_HD constexpr std::uint32_t number_of(int level, int x, int y) {
  const auto half = static_cast<std::uint32_t>(cells_of(level) / 2), known = points_of(level - 1);
  const auto column = static_cast<std::uint32_t>(x / 2), pair = static_cast<std::uint32_t>(y / 2);
  if (x & y & 1) return known + pair * half + column;
  return known + half * half + pair * (2 * half + 1) + (y & 1 ? half : 0) + column;
}
/// The random number of the cell (x, y), from the table if there is one.
TS_HD inline std::uint32_t random_of(const Plan& plan, int level, int x, int y) {
  return plan.numbers ? plan.numbers[number_of(level, x, y)] : random_u16(plan.seed, level, x, y);
}

/// The type of sums of heights, exact for bytes.
template <class Height>
using SumOf = std::conditional_t<std::is_same_v<Height, float>, float, int>;

/// The height of a new cell from the sum of its `count` (3 or 4) neighbours and its random number of 16 bits.
template <class Height>
TS_HD inline Height new_height(const Plan& plan, int level, SumOf<Height> sum, int count, std::uint32_t random) {
  if constexpr (std::is_same_v<Height, float>) {
    const float displacement = static_cast<float>(static_cast<std::int16_t>(random) | 1) * plan.scale[level];
    return (count == 4 ? sum * 0.25f : sum / 3.0f) + displacement;
  } else {
    const int h = height_of(level);
    if (plan.arithmetic == Arithmetic::bytes) {
      const int r = static_cast<int>(random * static_cast<std::uint32_t>(2 * h) >> 16) - h;
      return static_cast<Height>((sum + r) / count & 255);
    }
    const int r = static_cast<int>(random * static_cast<std::uint32_t>(2 * h + 1) >> 16) - h;
    // The division of a negative sum by 3 rounds up instead of down, but a negative height is clamped to 0 anyway.
    const int height = count == 4 ? (sum + r + 2) >> 2 : (sum + r + 1) / 3;
    return static_cast<Height>(height < 0 ? 0 : height > 255 ? 255 : height);
  }
}

/// The height of a corner from its random number of 16 bits: in 0..255 for classic, in -amplitude..amplitude for
/// fractal.
template <class Height>
TS_HD inline Height corner_height(const Plan& plan, std::uint32_t random) {
  if constexpr (std::is_same_v<Height, float>)
    return static_cast<float>(static_cast<std::int16_t>(random) | 1) * plan.scale[0];
  else
    return static_cast<Height>(random >> 8);
}

/// The column or row whose random numbers column or row i uses: with Edges::wrap the last one uses those of the first.
TS_HD constexpr int random_index(const Plan& plan, int level, int i) {
  return plan.edges == Edges::wrap ? i & (cells_of(level) - 1) : i;
}

/// The height of the diamond cell (x, y) from its random number. `at(x, y)` returns known heights of the level's grid.
template <class Height, class At>
TS_HD inline Height diamond_cell(const Plan& plan, int level, int x, int y, const At& at, std::uint32_t random) {
  using Sum = SumOf<Height>;
  const Sum above = static_cast<Sum>(at(x - 1, y - 1)) + static_cast<Sum>(at(x + 1, y - 1));
  const Sum below = static_cast<Sum>(at(x - 1, y + 1)) + static_cast<Sum>(at(x + 1, y + 1));
  return new_height<Height>(plan, level, above + below, 4, random);
}
/// The height of the diamond cell (x, y).
template <class Height, class At>
TS_HD inline Height diamond_cell(const Plan& plan, int level, int x, int y, const At& at) {
  return diamond_cell<Height>(plan, level, x, y, at, random_of(plan, level, x, y));
}

/// The height of the square cell (x, y) from its random number. `at(x, y)` returns heights of the level's grid, whose
/// diamond cells have to be known.
template <class Height, class At>
TS_HD inline Height square_cell(const Plan& plan, int level, int x, int y, const At& at, std::uint32_t random) {
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
  return new_height<Height>(plan, level, across + down, rim ? 3 : 4, random);
}
/// The height of the square cell (x, y).
template <class Height, class At>
TS_HD inline Height square_cell(const Plan& plan, int level, int x, int y, const At& at) {
  const int from_x = random_index(plan, level, x), from_y = random_index(plan, level, y);
  return square_cell<Height>(plan, level, x, y, at, random_of(plan, level, from_x, from_y));
}

/// Linear interpolation between two heights at step i of 2^bits. At both ends it returns the height itself, so that
/// neighbouring cells fit.
TS_HD inline float between(float a, float b, int i, int bits) {
  const int steps = 1 << bits;
  const float height = a + (b - a) * (static_cast<float>(i) * (1.0f / static_cast<float>(steps)));
  return i == 0 ? a : i == steps ? b : height;
}

/// Bilinear interpolation between the heights a, b of one row and c, d of the next at step (x, y) of 2^bits: linear
/// along x, then along y. For bytes the exact result is rounded to nearest, ties up.
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

/// The height halfway between two others.
template <class Height>
TS_HD inline Height midpoint(Height a, Height b) {
  if constexpr (std::is_same_v<Height, float>)
    return between(a, b, 1, 1);
  else
    return static_cast<Height>((a + b + 1) >> 1);
}

/// The height of the square cell (x, y) of a level whose square step is left out. `at(x, y)` returns known heights of
/// the level's grid.
template <class Height, class At>
TS_HD inline Height halfway_cell(int x, int y, const At& at) {
  return x & 1 ? midpoint<Height>(at(x - 1, y), at(x + 1, y)) : midpoint<Height>(at(x, y - 1), at(x, y + 1));
}

/// The height of any point of level plan.grown after its diamond step. `known(i, j)` returns the heights of the level
/// before.
template <class Height, class Known>
TS_HD inline Height after_diamond_step(const Plan& plan, int x, int y, const Known& known) {
  const auto at = [&](int known_x, int known_y) -> Height { return known(known_x >> 1, known_y >> 1); };
  if (x & y & 1) return diamond_cell<Height>(plan, plan.grown, x, y, at);
  return (x | y) & 1 ? halfway_cell<Height>(x, y, at) : at(x, y);
}

}  // namespace threadscape::diamond_square
