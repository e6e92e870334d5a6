#pragma once
// What a seam is and how it is chosen: the one order of operations that all backends keep. Floats are 32 bit, every
// operation is rounded by itself, so seams, energies and costs are equal to the bit on all backends.
//
// Space. A pass takes seams from top to bottom: one pixel of every row. For seams from left to right it works on the
// transposed picture. Nothing outside a picture is ever used: neighbours beyond a border are the border pixel.
//
// Grey. g = ((r + g) + b) / 3 in the picture's own units; of a grey picture its value. Floats beyond +-2^40 are cut to
// that, NaN is 0: sums stay finite.
//
// Energy of a pixel, from the picture as it is now (l, r, u, d: neighbours; lu, ... the diagonal ones):
//   gradient  sqrt((r - l)^2 + (d - u)^2): next less previous pixel, one-sided at the border (the source document)
//   sobel     sqrt(gx^2 + gy^2), gx = ((ru - lu) + (rd - ld)) + 2 (r - l), gy = ((ld - lu) + (rd - ru)) + 2 (d - u)
//   forward   of a step instead of a pixel, the differences that a removal leaves behind (Rubinstein, Shamir, Avidan
//             2008): from above C_U = |r - l|, from the left parent C_L = C_U + |u - l|, from the right one
//             C_R = C_U + |u - r|; in the top row C_U. As a picture C_U is shown, the least of the three.
//
// Cost, path = dp (Avidan, Shamir 2007), row by row from the top: the least over the three parents, above left, above
// and above right, plus the energy; with forward the least of parent + its step. Of equal parents the leftmost. The
// seam ends at the leftmost least cost of the last row.
//
// path = greedy (the source document): from every pixel of the top row to the cheapest of the three below, the leftmost
// of equals, down to the last row; the energies are added up from top to bottom. The leftmost of the least totals wins.
//
// Masks. An energy comes with a rank, an integer: -1 where pixels are to be removed, +65536 where they are protected
// (also where both masks are white), else 0. Ranks are added up as energies are, and compared before them. So a seam
// crosses protected pixels only where it must, as few as it can; then it takes as many removal pixels as it can; then
// the least energy decides. No constant is added to a float: energies stay as exact as without masks.
//
// Approximate passes. seams_per_pass = n splits the columns 0..w-1 into n strips, of which strip i begins at
// floor(i w / n); each gives the best seam that stays inside, and all of them are removed together.
//
// Enlarging. The k lowest seams are found as if they were removed, k at most half of the width in one pass; then each
// of their pixels is followed by the mean of itself and its right neighbour, in the last column of its left one.
// Integers are rounded half up, floats are (a + b) / 2; alpha as the colours.
//
// Sides. Columns first, then rows. order = alternate takes a column and a row in turns while both have to shrink;
// optimal finds the sequence of least total energy in the transport map of Avidan and Shamir: T(r, c), the least to
// lose r rows and c columns, is T(r - 1, c) + the next row's seam or T(r, c - 1) + the next column's; rows if both are
// equal. What is enlarged is enlarged columns first.

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "compute/core/views.h"

namespace threadscape::seam_carving {

enum class Energy : int { gradient, sobel, forward };
enum class Path : int { dp, greedy };

/// What the masks say of a pixel.
enum class Mark : std::uint8_t { none, remove, protect };
inline constexpr int protected_rank = 65536;
TS_HD inline int rank_of(Mark mark) {
  return mark == Mark::protect ? protected_rank : mark == Mark::remove ? -1 : 0;
}

// ---- Grey.

TS_HD inline float tame(float value) {
  constexpr float most = 1099511627776.0f;  // 2^40
  if (!(value == value)) return 0.0f;
  return value < -most ? -most : value > most ? most : value;
}
template <class T>
requires std::is_arithmetic_v<T> TS_HD inline float grey_of(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return tame(value);
  else
    return static_cast<float>(value);
}
template <class Colour>
requires std::is_class_v<Colour> TS_HD inline float grey_of(const Colour& p) {
  return ((grey_of(p.r) + grey_of(p.g)) + grey_of(p.b)) / 3.0f;
}

// ---- Energy.

TS_HD inline float root(float value) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(value);
#else
  return std::sqrt(value);
#endif
}
TS_HD inline float distance(float a, float b) {
  return __builtin_fabsf(a - b);
}

/// `g(dx, dy)` is the grey of a neighbour. Not for Energy::forward's steps: there this is C_U.
template <class Grey>
TS_HD float energy_of(Energy energy, const Grey& g) {
  if (energy == Energy::forward) return distance(g(1, 0), g(-1, 0));
  if (energy == Energy::gradient) {
    const float dx = g(1, 0) - g(-1, 0), dy = g(0, 1) - g(0, -1);
    return root(dx * dx + dy * dy);
  }
  const float lu = g(-1, -1), ru = g(1, -1), ld = g(-1, 1), rd = g(1, 1);
  const float dx = ((ru - lu) + (rd - ld)) + 2.0f * (g(1, 0) - g(-1, 0));
  const float dy = ((ld - lu) + (rd - ru)) + 2.0f * (g(0, 1) - g(0, -1));
  return root(dx * dx + dy * dy);
}

/// Columns of a row whose energy, or whose neighbours, another row's or its own removal at column s changes: those from
/// s - reach to s + reach - 1 afterwards, since seams of neighbouring rows differ by one column at most.
inline constexpr int reach = 2;

/// Energies of the three steps into a pixel; `up` is the grey above it, left and right its own neighbours.
struct Steps {
  float from_left, from_above, from_right;
};
TS_HD inline Steps forward_steps(float left, float right, float up) {
  const float straight = distance(right, left);
  return {straight + distance(up, left), straight, straight + distance(up, right)};
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
/// Beyond every cost: what lies outside of a strip.
TS_HD inline Cost no_cost() {
  return {0x7fffffff, __builtin_inff()};
}
/// A cost as one number, for pictures of it: a rank counts for 2^20.
TS_HD inline float as_number(const Cost& cost) {
  return static_cast<float>(cost.rank) * 1048576.0f + cost.sum;
}

/// The leftmost least of three; `which` becomes -1, 0 or 1.
TS_HD inline Cost least(const Cost& left, const Cost& middle, const Cost& right, int& which) {
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
/// A new pixel is marked as the one that it follows, and comes from where that came from.
TS_HD inline Mark mean_of(Mark a, Mark) {
  return a;
}
TS_HD inline std::uint32_t mean_of(std::uint32_t a, std::uint32_t) {
  return a;
}

/// Whether seam number `order` (0: none) is among the first `seams`.
TS_HD inline bool taken(int order, int seams) {
  return order != 0 && order <= seams;
}

}  // namespace threadscape::seam_carving
