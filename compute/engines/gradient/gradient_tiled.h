#pragma once
// The work of one thread of the `tiled` CUDA kernel of gradient filters: a patch of neighbouring pixels, two of them by
// each instruction (compute/engines/patches/u16x2.h). For a word of four pixels 0 .. 3 it computes
//
//   sums of columns, weighted from above to below:   c(-1) c0 c1 c2 c3 c4     gx of pixel i = c(i + 1) - c(i - 1)
//   sums of rows, weighted from left to right:       above, below             gy = below - above
//
//   registers, u16x2:   (c0, c2)   (c1, c3)   (c(-1), c1)   (c2, c4)     sums of columns of even and odd pixels
//
// Weighted sums of three pixels are at most 16 * 255. The absolute value of a difference of two such sums is their
// maximum less their minimum, which is not negative and fits into 16 bits as well.
//
// It compiles for the host as well: tests/compute/engines/gradient/gradient_tiled_test.cpp runs it there for every
// thread of a grid.

#include "compute/engines/gradient/gradient.h"
#include "compute/engines/patches/patch_filter.h"
#include "compute/engines/patches/u16x2.h"

namespace threadscape::gradient {

/// Factors with the weights of a mask.
struct MaskFactors : Factors {
  std::uint32_t side = 1, centre = 2;

  template <class M>
  static constexpr MaskFactors of() {
    return {{}, M::side, M::centre};
  }
  /// side * before + centre * middle + side * after, for both pixels.
  template <class M>
  TS_HD std::uint32_t weighted(std::uint32_t before, std::uint32_t middle, std::uint32_t after) const {
    const std::uint32_t sides = M::side == 1 ? sum(before, after) : sum(before, after) * side;
    return middle * centre + sides;
  }
};

/// strength() of two pixels from the absolute values of their gradients; the results, 0..255, are u16x2.
template <Norm norm>
TS_HD std::uint32_t strength_u16x2(std::uint32_t x, std::uint32_t y, const MaskFactors& factors) {
  if constexpr (norm == Norm::l1) {
    return min_u16x2(factors.sum(x, y), 0x00ff00ff);
  } else {
    std::uint32_t result[2];
    TS_UNROLL
    for (int half = 0; half < 2; ++half) {
      const int gx = static_cast<int>(x >> 16 * half & 0xffff), gy = static_cast<int>(y >> 16 * half & 0xffff);
#if defined(__CUDA_ARCH__)
      float root;  // relative error at most 2^-23, and 2^-20 is enough: see strength()
      asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(static_cast<float>(gx * gx + gy * gy)));
      result[half] = static_cast<std::uint32_t>(fminf(root + 0.5f, 255.0f));
#else
      result[half] = strength(gx, gy, Norm::l2);
#endif
    }
    return result[0] | result[1] << 16;
  }
}

/// The results for four pixels. `above`, `centre` and `below` point to the word before these pixels in three rows.
template <class M, Norm norm>
TS_HD std::uint32_t find_edges_of_word(const std::uint32_t* above, const std::uint32_t* centre,
                                       const std::uint32_t* below, const MaskFactors& factors) {
  const auto weighted = [&](std::uint32_t before, std::uint32_t middle, std::uint32_t after) {
    return factors.template weighted<M>(before, middle, after);
  };
  // Sums of columns, with the weights of the mask from above to below: of pixels -3 and -1, 0 and 2, 1 and 3, 4 and 6.
  const auto column_even = [&](int w) {
    return weighted(even_pixels(above[w]), even_pixels(centre[w]), even_pixels(below[w]));
  };
  const auto column_odd = [&](int w) {
    return weighted(odd_pixels(above[w]), odd_pixels(centre[w]), odd_pixels(below[w]));
  };
  const std::uint32_t before = column_odd(0), even = column_even(1), odd = column_odd(1), after = column_even(2);
  const std::uint32_t x_even = factors.distance(odd, between(before, odd));
  const std::uint32_t x_odd = factors.distance(between(even, after), even);

  // Sums of rows, with the same weights from left to right.
  const auto row_even = [&](const std::uint32_t* row) {
    const std::uint32_t right = odd_pixels(row[1]);
    return weighted(between(odd_pixels(row[0]), right), even_pixels(row[1]), right);
  };
  const auto row_odd = [&](const std::uint32_t* row) {
    const std::uint32_t left = even_pixels(row[1]);
    return weighted(left, odd_pixels(row[1]), between(left, even_pixels(row[2])));
  };
  const std::uint32_t y_even = factors.distance(row_even(below), row_even(above));
  const std::uint32_t y_odd = factors.distance(row_odd(below), row_odd(above));

  return factors.interleaved(strength_u16x2<norm>(x_even, y_even, factors),
                             strength_u16x2<norm>(x_odd, y_odd, factors));
}

/// The filter of patches (compute/engines/patches/patch_filter.h).
template <class M, Norm norm>
struct GradientPatches {
  static constexpr int radius = gradient::radius;
  template <class P>
  using Size = UsualPatchSize<P>;
  MaskFactors factors = MaskFactors::of<M>();

  template <class Patch, class StoreResult>
  TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const {
    constexpr int planes = Patch::PlanesOfPixel::count;
    TS_UNROLL
    for (int r = 0; r < Patch::rows; ++r) {
      std::uint32_t result[planes][Patch::words];
      TS_UNROLL
      for (int plane = 0; plane < planes; ++plane) {
        TS_UNROLL
        for (int w = 0; w < Patch::words; ++w)
          result[plane][w] = find_edges_of_word<M, norm>(&patch.word[plane][r][w], &patch.word[plane][r + 1][w],
                                                         &patch.word[plane][r + 2][w], factors);
      }
      store_result(r, result);
    }
  }
};

}  // namespace threadscape::gradient
