#pragma once
// The work of one thread of the CUDA kernel for Laplacians of bytes: a patch of neighbouring pixels, two of them by
// each instruction (compute/engines/patches/u16x2.h). Pixels with positive and with negative weights are summed apart,
// at most 16 * 255 each, so that all sums are unsigned 16-bit integers.
//
//   registers (u16x2) for a word w of the patch        their neighbours in the row
//   even pixels (0, 2)                                 to the left:  (-1, 1) from odd pixels of words w - 1 and w
//   odd pixels  (1, 3)                                 to the right: (2, 4) from even pixels of words w and w + 1
//
// It compiles for the host as well: tests/compute/algorithms/edges/laplacian_tiled_test.cpp runs it there for every
// thread of a grid.

#include "compute/algorithms/edges/laplacian/laplacian.h"
#include "compute/engines/patches/patch_filter.h"
#include "compute/engines/patches/u16x2.h"

namespace threadscape::laplacian {

using Neighbours = Laplacian::Neighbours;

[[nodiscard]] constexpr int radius_of(Neighbours kind) {
  return kind == Neighbours::five ? 2 : 1;
}

/// Two pixels of a row as u16x2: those `d` pixels to the right of the even pixels of word 0. even(w) and odd(w) return
/// the even and the odd pixels of word w of the row, or of sums along columns.
template <class Even, class Odd>
TS_HD std::uint32_t pixels_at(int d, const Even& even, const Odd& odd) {
  const auto at = [&](const auto& word) {
    const int pairs = d >> 1, w = pairs >> 1;
    return (pairs & 1) != 0 ? between(word(w), word(w + 1)) : word(w);
  };
  return (d & 1) != 0 ? at(odd) : at(even);
}

/// The sums of the pixels with positive and with negative weights, times the absolute weights, for two pixels (u16x2).
struct Parts {
  std::uint32_t plus, minus;
};
/// The sums for the even pixels (d = 0) or the odd pixels (d = 1) of a word. row(y, w) returns word w, counted from
/// that word, of the row y rows below.
template <Neighbours kind, class Row>
TS_HD Parts parts_of(const Row& row, int d, const Factors& f) {
  const auto pixels = [&](int y, int dx) {
    return pixels_at(
        d + dx, [&](int w) { return even_pixels(row(y, w)); }, [&](int w) { return odd_pixels(row(y, w)); });
  };
  const std::uint32_t centre = pixels(0, 0);
  if constexpr (kind == Neighbours::four) {
    return {f.sum(f.sum(pixels(-1, 0), pixels(1, 0)), f.sum(pixels(0, -1), pixels(0, 1))), centre * 4};
  } else if constexpr (kind == Neighbours::eight) {
    // The centre is in both sums once more than in the mask, so that sums along columns can be shared by three pixels.
    const auto column = [&](int dx) {
      const auto of = [&](const auto& half) {
        return [&, half](int w) { return f.sum(f.sum(half(row(-1, w)), half(row(0, w))), half(row(1, w))); };
      };
      return pixels_at(d + dx, of([](std::uint32_t w) { return even_pixels(w); }),
                       of([](std::uint32_t w) { return odd_pixels(w); }));
    };
    return {f.sum(f.sum(column(-1), column(0)), column(1)), centre * 9};
  } else {
    // The columns beside the centre have the weights 1 2 1, and the column through it 1 2 . 2 1.
    const auto beside = [&](int dx) {
      const auto of = [&](const auto& half) {
        return [&, half](int w) { return half(row(0, w)) * f.two + f.sum(half(row(-1, w)), half(row(1, w))); };
      };
      return pixels_at(d + dx, of([](std::uint32_t w) { return even_pixels(w); }),
                       of([](std::uint32_t w) { return odd_pixels(w); }));
    };
    const std::uint32_t ends = add_u16x2(pixels(-2, 0), pixels(2, 0), pixels(0, -2));
    const std::uint32_t through = f.sum(pixels(-1, 0), pixels(1, 0)) * f.two + ends;
    return {f.sum(add_u16x2(beside(-1), beside(1), pixels(0, 2)), through), centre * 16};
  }
}

/// From sums to results by Output, for two pixels (u16x2).
struct OutputU16x2 {
  std::uint32_t bias;      ///< Added to the sums: 128 for Output::offset.
  std::uint32_t negative;  ///< All bits where negative differences become 0, and no bits for absolute values.

  explicit OutputU16x2(Output output)
      : bias(output == Output::offset ? 0x00800080 : 0), negative(output == Output::absolute ? 0 : ~0u) {}

  /// The results, 0..255: |plus - minus|, or max(plus - minus, 0).
  TS_HD std::uint32_t of(const Parts& parts, const Factors& f) const {
    const std::uint32_t plus = f.sum(parts.plus, bias), smaller = min_u16x2(plus | negative, parts.minus);
    return min_u16x2(f.difference(max_u16x2(plus, parts.minus), smaller), 0x00ff00ff);
  }
};

/// The filter of patches (compute/engines/patches/patch_filter.h).
template <Neighbours kind>
struct LaplacianPatches {
  static constexpr int radius = radius_of(kind);
  template <class P>
  using Size = UsualPatchSize<P>;
  OutputU16x2 output;
  Factors factors;

  template <class Patch, class StoreResult>
  TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const {
    constexpr int planes = Patch::PlanesOfPixel::count;
    TS_UNROLL
    for (int r = 0; r < Patch::rows; ++r) {
      std::uint32_t result[planes][Patch::words];
      TS_UNROLL
      for (int i = 0; i < planes * Patch::words; ++i) {
        const int plane = i / Patch::words, w = i % Patch::words;
        const auto words = [&](int y, int x) { return patch.word[plane][r + radius + y][w + 1 + x]; };
        const std::uint32_t even = output.of(parts_of<kind>(words, 0, factors), factors);
        const std::uint32_t odd = output.of(parts_of<kind>(words, 1, factors), factors);
        result[plane][w] = factors.interleaved(even, odd);
      }
      store_result(r, result);
    }
  }
};

}  // namespace threadscape::laplacian
