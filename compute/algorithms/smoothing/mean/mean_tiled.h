#pragma once
// The work of one thread of the CUDA kernel for means of small windows of bytes: a patch of neighbouring pixels, two
// per instruction (compute/engines/patches/u16x2.h). The sum of a whole window is at most 25 * 255, which 16 bits hold.
//
//   a word of 4 pixels        p0 p1 p2 p3             Column sums are held the same way. Those of the next row are the
//   even: one u16x2              p2 p0                old ones, plus the pixel that enters the window, less the one
//   that odd:  one u16x2              p3 p1                leaves it. Along rows, the windows of p0 and p1 share all
//   column
//                                                     sums but one each, and so do those of p2 and p3.
//
// Compiles for the host as well: tests/compute/algorithms/smoothing/mean_tiled_test.cpp runs it there for every thread
// of a grid.

#include "compute/engines/patches/patch_filter.h"
#include "compute/engines/patches/u16x2.h"

namespace threadscape::mean {

/// The largest radius of means that Mean::cuda() computes by patches, for grey and for RGBA pictures. Beyond it the
/// separable engine is as fast or faster: on tensor cores (grey, and RGBA channel by channel) or in strips (luma).
inline constexpr int max_radius_grey = 2, max_radius_colour = 1;

/// sum / count, rounded to the nearest integer, as the highest byte of sum * factor + start.
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

/// The window sums of the four pixels of word w, even and odd ones, from column sums. `even_sums` and `odd_sums` have
/// at least one word on either side of word w.
template <int radius>
struct RowSums {
  std::uint32_t even, odd;

  TS_HD RowSums(const std::uint32_t* even_sums, const std::uint32_t* odd_sums, int w, const Factors& factors) {
    // The column sums d columns to the right of the even pixels.
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

template <int radius_>
struct MeanPatches {
  static constexpr int radius = radius_;
  template <class P>
  using Size = UsualPatchSize<P>;
  Factors factors;

  template <class Patch, class StoreResult>
  TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const {
    using P = typename Patch::PlanesOfPixel;
    constexpr Division division = Division::by((2 * radius + 1) * (2 * radius + 1));
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
};

}  // namespace threadscape::mean
