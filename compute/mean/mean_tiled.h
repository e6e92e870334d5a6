#pragma once
// The work of one thread of the CUDA kernel for means of small windows of bytes: a patch of neighbouring pixels, two to
// an instruction (compute/neighbourhood/halves.h). Sums of a whole window are at most 81 * 255, which 16 bits hold.
//
// Sums along columns come first: the next row's is that of the row before, plus the pixel that enters the window and
// less the one that leaves it. Along rows a window of even pixels and its neighbour of odd ones share all but two
// terms.
//
// Compiles for the host as well: tests/compute/mean_tiled_test.cpp runs it there for every thread of a grid.

#include "compute/neighbourhood/halves.h"

namespace threadscape::mean {

inline constexpr int largest_tiled_radius = 4;

/// Patches of 16x4 grey pixels, or of 4x4 in colour.
template <class P>
struct PatchSize {
  static constexpr int words = sizeof(typename P::Pixel) == 1 ? 4 : 1;
  static constexpr int rows = 4;
};

/// sum / count to the nearest integer as the highest byte of sum * factor + start.
///
/// With M = ceil(2^24 / n), floor((s + n / 2) * M / 2^24) is floor((s + n / 2) / n): M is too large by less than 1, so
/// the quotient by less than (255 n + n / 2) / 2^24 < 1 / n.
struct Division {
  std::uint32_t factor, start;

  static constexpr Division by(std::uint32_t count) {
    const std::uint32_t factor = ((1u << 24) + count - 1) / count;
    return {factor, count / 2 * factor};
  }
  TS_HD std::uint32_t of(std::uint32_t sum) const { return sum * factor + start; }
};

/// Sums of `radius` pixels to either side, from sums along columns; `even` and `odd` have a word more on either side of
/// word w.
template <int radius>
struct RowSums {
  std::uint32_t even, odd;

  TS_HD RowSums(const std::uint32_t* even_sums, const std::uint32_t* odd_sums, int w, const Factors& factors) {
    // Term d: the columns d to the right of the even pixels.
    const auto term = [&](int d) {
      const std::uint32_t* sums = (d & 1) != 0 ? odd_sums : even_sums;
      const int pairs = d >> 1, word = w + (pairs >> 1);
      return (pairs & 1) != 0 ? between(sums[word], sums[word + 1]) : sums[word];
    };
    std::uint32_t common = term(1 - radius);
    TS_UNROLL
    for (int d = 2 - radius; d <= radius; ++d)
      common = factors.sum(term(d), common);
    even = factors.sum(term(-radius), common);
    odd = factors.sum(term(radius + 1), common);
  }
};

/// Results of a loaded patch; `store_result(row, planes)` takes them row by row.
template <class P, int radius, class Patch, class StoreResult>
TS_HD void mean_of_loaded(const Patch& patch, const Division& division, const Factors& factors,
                          const StoreResult& store_result) {
  constexpr int columns = Patch::words + 2;
  std::uint32_t even[P::count][columns], odd[P::count][columns];
  TS_UNROLL
  for (int r = 0; r < Patch::rows; ++r) {
    std::uint32_t result[P::count][Patch::words];
    TS_UNROLL
    for (int plane = 0; plane < P::count; ++plane) {
      TS_UNROLL
      for (int w = 0; w < columns; ++w) {
        const auto pixels = [&](int row) { return patch.word[plane][row][w]; };
        std::uint32_t &e = even[plane][w], &o = odd[plane][w];
        if (r == 0) {
          e = even_pixels(pixels(0));
          o = odd_pixels(pixels(0));
          TS_UNROLL
          for (int i = 1; i <= 2 * radius; ++i) {
            e = factors.sum(even_pixels(pixels(i)), e);
            o = factors.sum(odd_pixels(pixels(i)), o);
          }
        } else {
          e = factors.sum(even_pixels(pixels(r + 2 * radius)), factors.difference(e, even_pixels(pixels(r - 1))));
          o = factors.sum(odd_pixels(pixels(r + 2 * radius)), factors.difference(o, odd_pixels(pixels(r - 1))));
        }
      }
      TS_UNROLL
      for (int w = 0; w < Patch::words; ++w) {
        const RowSums<radius> sums(even[plane], odd[plane], w + 1, factors);
        const std::uint32_t p0 = division.of(sums.even & 0xffff), p2 = division.of(sums.even >> 16);
        const std::uint32_t p1 = division.of(sums.odd & 0xffff), p3 = division.of(sums.odd >> 16);
        result[plane][w] = pick_bytes(pick_bytes(p0, p1, 0x0073), pick_bytes(p2, p3, 0x0073), 0x5410);
      }
    }
    store_result(r, result);
  }
}

/// Thread (column, row) of the grid, if its patch belongs to `part`.
template <class P, int radius, PatchPart part, class View, class Store>
TS_HD void mean_of_patch(int column, int row, const View& in, Border border, const Factors& factors, bool aligned,
                         const Store& store) {
  using Inner = PackedPatch<P, PatchSize<P>::words, PatchSize<P>::rows, radius>;
  using Patch = PatchOf<part, Inner>;
  const PatchPlace at{column * Patch::width, row * Patch::rows, border, aligned};
  if (!belongs_to<part, Inner>(in, at, store)) return;

  Patch patch;
  if constexpr (part == PatchPart::inner)
    patch.load_inner(in, at);
  else
    patch.load(in, at);
  constexpr Division division = Division::by((2 * radius + 1) * (2 * radius + 1));
  mean_of_loaded<P, radius>(patch, division, factors, [&](int r, const std::uint32_t(&result)[P::count][Patch::words]) {
    if constexpr (part == PatchPart::inner)
      store_inner_row<Patch, P>(at, in.height, r, result, patch.kept[r], store);
    else
      store_row<Patch, P>(in, at, r, result, patch.kept[r], store);
  });
}

}  // namespace threadscape::mean
