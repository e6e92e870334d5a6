#pragma once
// Definition of seams and of the order of operations that all backends keep. Floats have 32 bits and every operation is
// rounded by itself (no fused multiply-add), so seams, energies and costs are equal to the bit on all backends.
//
// Space. A pass takes seams from top to bottom: one pixel of every row. For seams from left to right it works on the
// transposed picture. Neighbours beyond a border are the border pixel.
//
// Grey. g = ((r + g) + b) / 3 in the picture's own units; for a grey picture its value. Floats are clamped to +-2^40
// and NaN becomes 0, so that sums stay finite.
//
// Energy of a pixel of the current picture (l, r, u, d: its neighbours; lu, ru, ld, rd: the diagonal ones):
//   gradient  sqrt((r - l)^2 + (d - u)^2): next minus previous pixel, one-sided at the border (the source document)
//   sobel     sqrt(gx^2 + gy^2), gx = ((ru - lu) + (rd - ld)) + 2 (r - l), gy = ((ld - lu) + (rd - ru)) + 2 (d - u)
//   forward   energy of a step instead of a pixel: the differences that a removal creates (Rubinstein, Shamir, Avidan
//             2008). From above C_U = |r - l|, from the left parent C_L = C_U + |u - l|, from the right parent
//             C_R = C_U + |u - r|; in the top row C_U. Where energies are shown, C_U is, the smallest of the three.
//
// Cost with path = dp (Avidan, Shamir 2007), row by row from the top: the minimum over the three parents (above left,
// above, above right) plus the energy; with forward energy the minimum over parent + step. The leftmost of equal
// parents wins. The seam ends at the leftmost minimum of the last row.
//
// path = greedy (the source document): from every pixel of the first row to the cheapest of the three pixels of the
// next row, the leftmost of equals, up to the last row; energies are summed in this order. The leftmost of the minimal
// sums wins. With start = top the first row is the top row. With start = bottom, as in the source document, it is the
// bottom row and paths go up: all is as in the picture upside down, so with forward energy "above" is the row below.
//
// Candidates. With path = greedy the paths of all pixels of the first row, with dp the best path to each pixel of the
// last row: one per column, of which the search takes the cheapest. Their relative cost is (cost - lowest) / (highest -
// lowest), and 0 if all cost the same.
//
// Masks. An energy comes with a rank, an integer: -1 where pixels are to be removed, +65536 where they are protected
// (also where both masks are white), else 0. Ranks are summed as energies are, and compared before them. So a seam
// crosses as few protected pixels as possible, then as many pixels to be removed as possible, then the lowest energy
// decides. No constant is added to a float: energies stay as exact as without masks.
//
// Approximate passes. seams_per_pass = n splits the columns 0..w-1 into n strips, of which strip i begins at floor(i w
// / n). The best seam that stays inside is found in each strip, and all of them are removed together.
//
// Enlarging. The k seams of lowest cost are found as if they were removed, k at most half of the width in one pass.
// Then each of their pixels is followed by the mean of itself and its right neighbour (in the last column: its left
// one). Integers are rounded half up, floats are (a + b) / 2; alpha is treated as the colours are.
//
// Order of both sides. Columns first, then rows. order = alternate removes a column and a row in turns while both sides
// have to shrink. order = optimal finds the sequence of lowest total cost in the transport map of Avidan and Shamir:
// T(r, c), the lowest cost of removing r rows and c columns, is the minimum of T(r - 1, c) + the next row's seam and
// T(r, c - 1) + the next column's seam; the row wins if both are equal. Of the enlarging passes columns come first.

#include "compute/kernel/views.h"

namespace threadscape::seam_carving {

enum class Energy : int { gradient, sobel, forward };
enum class Path : int { dp, greedy };
/// Where greedy paths start.
enum class Start : int { top, bottom };
/// The distance from a row to the next one of a greedy path.
TS_HD inline int next_row(Start start) {
  return start == Start::top ? 1 : -1;
}
/// The row of a greedy path's step number i, counted from 0.
TS_HD inline int row_of_step(Start start, int height, int i) {
  return start == Start::top ? i : height - 1 - i;
}

/// What the masks say of a pixel.
enum class Mark : std::uint8_t { none, remove, protect };
inline constexpr int protected_rank = 65536;
TS_HD inline int rank_of(Mark mark) {
  return mark == Mark::protect ? protected_rank : mark == Mark::remove ? -1 : 0;
}

// ---- Grey.

TS_HD inline float clamped_grey(float value) {
  constexpr float limit = 1099511627776.0f;  // 2^40
  if (!(value == value)) return 0.0f;
  return value < -limit ? -limit : value > limit ? limit : value;
}
template <class T>
requires std::is_arithmetic_v<T> TS_HD inline float grey_of(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return clamped_grey(value);
  else
    return static_cast<float>(value);
}
template <class Colour>
requires std::is_class_v<Colour> TS_HD inline float grey_of(const Colour& p) {
  return ((grey_of(p.r) + grey_of(p.g)) + grey_of(p.b)) / 3.0f;
}

// ---- Energy.

TS_HD inline float sqrt_rn(float value) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(value);
#else
  return std::sqrt(value);
#endif
}
TS_HD inline float abs_difference(float a, float b) {
  return fabsf(a - b);
}

/// Energy of a pixel; `g(dx, dy)` is the grey value of a neighbour. For Energy::forward this is C_U, not the energy of
/// a step.
template <class Grey>
TS_HD float energy_of(Energy energy, const Grey& g) {
  if (energy == Energy::forward) return abs_difference(g(1, 0), g(-1, 0));
  if (energy == Energy::gradient) {
    const float dx = g(1, 0) - g(-1, 0), dy = g(0, 1) - g(0, -1);
    return sqrt_rn(dx * dx + dy * dy);
  }
  const float lu = g(-1, -1), ru = g(1, -1), ld = g(-1, 1), rd = g(1, 1);
  const float dx = ((ru - lu) + (rd - ld)) + 2.0f * (g(1, 0) - g(-1, 0));
  const float dy = ((ld - lu) + (rd - ru)) + 2.0f * (g(0, 1) - g(0, -1));
  return sqrt_rn(dx * dx + dy * dy);
}

/// A seam that leaves at column s changes energies of its row and of the rows beside it in the columns s - energy_reach
/// .. s + energy_reach - 1, counted after the removal: seams of neighbouring rows differ by one column at most.
inline constexpr int energy_reach = 2;

/// Energies of the three steps into a pixel.
struct Steps {
  float from_left, from_above, from_right;
};
/// `up` is the grey value above the pixel, `left` and `right` are those of its neighbours in the row.
TS_HD inline Steps forward_steps(float left, float right, float up) {
  const float straight = abs_difference(right, left);
  return {straight + abs_difference(up, left), straight, straight + abs_difference(up, right)};
}

// ---- Costs.

struct Cost {
  int rank = 0;
  float sum = 0.0f;
};
TS_HD inline bool operator<(const Cost& a, const Cost& b) {
  return a.rank < b.rank || (a.rank == b.rank && a.sum < b.sum);
}
TS_HD inline Cost operator+(const Cost& a, const Cost& b) {
  return {a.rank + b.rank, a.sum + b.sum};
}
/// Greater than every cost: the cost of parents outside of a strip.
TS_HD inline Cost infinite_cost() {
  return {0x7fffffff, std::numeric_limits<float>::infinity()};
}
/// A cost as one number, for pictures of costs: one rank counts as 2^20.
TS_HD inline float cost_as_float(const Cost& cost) {
  return static_cast<float>(cost.rank) * 1048576.0f + cost.sum;
}

/// The relative cost of a candidate seam, 0..1. All three costs are as cost_as_float() gives them.
TS_HD inline float relative_cost(float cost, float lowest, float highest) {
  return highest > lowest ? (cost - lowest) / (highest - lowest) : 0.0f;
}
/// The relative cost where no candidate passes.
inline constexpr float no_candidate = -1.0f;

/// The minimum of three costs, the leftmost of equal ones; `which` becomes -1, 0 or 1.
TS_HD inline Cost min_cost(const Cost& left, const Cost& middle, const Cost& right, int& which) {
  Cost best = left;
  which = -1;
  if (middle < best) {
    best = middle;
    which = 0;
  }
  if (right < best) {
    best = right;
    which = 1;
  }
  return best;
}

// ---- Strips of an approximate pass.

TS_HD inline int strip_begin(int strip, int strips, int width) {
  return static_cast<int>(static_cast<long long>(strip) * width / strips);
}

// ---- Enlarging.

TS_HD inline std::uint8_t mean_of(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>((a + b + 1) / 2);
}
TS_HD inline std::uint16_t mean_of(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::uint16_t>((a + b + 1) / 2);
}
TS_HD inline float mean_of(float a, float b) {
  return (a + b) / 2.0f;
}
template <class Colour>
requires std::is_class_v<Colour> TS_HD inline Colour mean_of(const Colour& a, const Colour& b) {
  return {mean_of(a.r, b.r), mean_of(a.g, b.g), mean_of(a.b, b.b), mean_of(a.a, b.a)};
}
/// A duplicated pixel has the mark and the origin of the pixel that it follows.
TS_HD inline Mark mean_of(Mark a, Mark) {
  return a;
}
TS_HD inline std::uint32_t mean_of(std::uint32_t a, std::uint32_t) {
  return a;
}

/// Returns whether seam number `order` (0 = none) is among the first `seams`.
TS_HD inline bool is_taken(int order, int seams) {
  return order != 0 && order <= seams;
}

}  // namespace threadscape::seam_carving
