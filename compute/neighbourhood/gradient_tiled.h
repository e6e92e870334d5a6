#pragma once
// The work of one thread of the `tiled` CUDA kernel of gradient filters: a patch of neighbouring pixels, two to an
// instruction.
//
// A word of four bytes becomes two words of two 16-bit numbers: its even and its odd pixels. Weighted sums of three
// pixels are at most 16 * 255, so plain additions of words never carry from one half to the other. A gradient is the
// difference of two such sums, and its absolute value is their maximum less their minimum, which stays in its half as
// well.
//
// Compiles for the host as well: tests/compute/gradient_tiled_test.cpp runs it there for every thread of a grid.

#include "compute/neighbourhood/gradient.h"
#include "compute/neighbourhood/packed_patch.h"

namespace threadscape::gradient {

TS_HD inline std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vmaxu2(a, b);
#else
  const std::uint32_t low = (a & 0xffff) > (b & 0xffff) ? a : b, high = a >> 16 > b >> 16 ? a : b;
  return (low & 0xffff) | (high & 0xffff0000);
#endif
}
TS_HD inline std::uint32_t smaller_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vminu2(a, b);
#else
  const std::uint32_t low = (a & 0xffff) < (b & 0xffff) ? a : b, high = a >> 16 < b >> 16 ? a : b;
  return (low & 0xffff) | (high & 0xffff0000);
#endif
}
TS_HD inline std::uint32_t distance_of_halves(std::uint32_t a, std::uint32_t b) {
  return larger_halves(a, b) - smaller_halves(a, b);
}

/// Pixels 0 and 2, 1 and 3 of a word, with 16 bits each.
TS_HD inline std::uint32_t even_pixels(std::uint32_t word) {
  return word & 0x00ff00ff;
}
TS_HD inline std::uint32_t odd_pixels(std::uint32_t word) {
  return word >> 8 & 0x00ff00ff;
}
/// The neighbours of two pixels, one to the left or right of them: the high half of `left` and the low half of `right`.
TS_HD inline std::uint32_t between(std::uint32_t left, std::uint32_t right) {
  return pick_bytes(left, right, 0x5432);
}

/// strength() of two gradients given by their absolute values; results in the lowest byte of each half.
template <Norm norm>
TS_HD std::uint32_t strength_of_halves(std::uint32_t x, std::uint32_t y) {
  if constexpr (norm == Norm::l1) {
    return smaller_halves(x + y, 0x00ff00ff);
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

/// Four pixels of result. `above`, `centre`, `below` point at the word before them in three rows.
template <class M, Norm norm>
TS_HD std::uint32_t find_edges_of_word(const std::uint32_t* above, const std::uint32_t* centre,
                                       const std::uint32_t* below) {
  // Columns, each summed with the weights of the mask from above to below: pixel -1 (and -3), 0 and 2, 1 and 3, 4 (and
  // 6).
  const auto column_even = [&](int w) {
    return M::side * (even_pixels(above[w]) + even_pixels(below[w])) + M::centre * even_pixels(centre[w]);
  };
  const auto column_odd = [&](int w) {
    return M::side * (odd_pixels(above[w]) + odd_pixels(below[w])) + M::centre * odd_pixels(centre[w]);
  };
  const std::uint32_t before = column_odd(0), even = column_even(1), odd = column_odd(1), after = column_even(2);
  const std::uint32_t x_even = distance_of_halves(odd, between(before, odd));
  const std::uint32_t x_odd = distance_of_halves(between(even, after), even);

  // Rows, each summed with them from left to right.
  const auto row_even = [&](const std::uint32_t* row) {
    const std::uint32_t right = odd_pixels(row[1]);
    return M::side * (between(odd_pixels(row[0]), right) + right) + M::centre * even_pixels(row[1]);
  };
  const auto row_odd = [&](const std::uint32_t* row) {
    const std::uint32_t left = even_pixels(row[1]);
    return M::side * (left + between(left, even_pixels(row[2]))) + M::centre * odd_pixels(row[1]);
  };
  const std::uint32_t y_even = distance_of_halves(row_even(below), row_even(above));
  const std::uint32_t y_odd = distance_of_halves(row_odd(below), row_odd(above));

  return strength_of_halves<norm>(x_even, y_even) | strength_of_halves<norm>(x_odd, y_odd) << 8;
}

/// Pixels per thread.
template <class P>
struct PatchSize {
  static constexpr int words = sizeof(typename P::Pixel) == 1 ? 4 : 1;
  static constexpr int rows = 4;
};

/// Results of a loaded patch; `store_result(row, planes)` takes them row by row.
template <class M, class P, Norm norm, class Patch, class StoreResult>
TS_HD void find_edges_of_loaded(const Patch& patch, const StoreResult& store_result) {
  TS_UNROLL
  for (int r = 0; r < Patch::rows; ++r) {
    std::uint32_t result[P::count][Patch::words];
    TS_UNROLL
    for (int plane = 0; plane < P::count; ++plane) {
      TS_UNROLL
      for (int w = 0; w < Patch::words; ++w)
        result[plane][w] = find_edges_of_word<M, norm>(&patch.word[plane][r][w], &patch.word[plane][r + 1][w],
                                                       &patch.word[plane][r + 2][w]);
    }
    store_result(r, result);
  }
}

/// Thread (column, row) of the grid, if its patch belongs to `part`.
template <class M, class P, Norm norm, PatchPart part, class View, class Store>
TS_HD void find_edges_of_patch(int column, int row, const View& in, const Plan& plan, bool aligned,
                               const Store& store) {
  using Inner = PackedPatch<P, PatchSize<P>::words, PatchSize<P>::rows, radius>;
  using Patch = PatchOf<part, Inner>;
  const PatchPlace at{column * Patch::width, row * Patch::rows, plan.border, aligned};
  if (!belongs_to<part, Inner>(in, at, store)) return;

  Patch patch;
  if constexpr (part == PatchPart::inner)
    patch.load_inner(in, at);
  else
    patch.load(in, at);
  find_edges_of_loaded<M, P, norm>(patch, [&](int r, const std::uint32_t(&result)[P::count][Patch::words]) {
    if constexpr (part == PatchPart::inner)
      store_inner_row<Patch, P>(at, in.height, r, result, patch.kept[r], store);
    else
      store_row<Patch, P>(in, at, r, result, patch.kept[r], store);
  });
}

}  // namespace threadscape::gradient
