#pragma once
// 3x3 medians of bytes: a thread computes a patch of neighbouring pixels, two of them by each instruction
// (compute/engines/patches/u16x2.h).
//
// Columns of three pixels are sorted first; the two rows that vertically neighbouring windows share are compared once
// for both. Then the median of nine values is the median of three (Paeth: Median finding on a 3x3 grid, Graphics Gems,
// 1990):
//
//   sorted columns   low0   low1   low2     maximum of these
//                    mid0   mid1   mid2     median of these        median of these three
//                    high0  high1  high2    minimum of these
//
//   registers, u16x2: columns of even pixels (0, 2) and of odd pixels (1, 3) of each word of the patch

#include "compute/engines/patches/patch_filter.h"
#include "compute/engines/patches/u16x2.h"

namespace threadscape::median {

/// Three values in ascending order, for two pixels (u16x2).
struct SortedColumn {
  std::uint32_t low, middle, high;
};
/// Sorts three values of which `low` <= `high` holds already.
TS_HD inline SortedColumn sorted_with(std::uint32_t low, std::uint32_t high, std::uint32_t third) {
  const std::uint32_t larger = max_u16x2(low, third);
  return {min_u16x2(low, third), min_u16x2(larger, high), max_u16x2(larger, high)};
}
/// The median of three values of which `low` <= `high` holds already.
TS_HD inline std::uint32_t middle_with(std::uint32_t low, std::uint32_t high, std::uint32_t third) {
  return max_u16x2(low, min_u16x2(high, third));
}

/// The filter of patches (compute/engines/patches/patch_filter.h).
struct MedianPatches {
  static constexpr int radius = 1;
  template <class P>
  using Size = UsualPatchSize<P>;
  Factors factors;

  template <class Patch, class StoreResult>
  TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const {
    constexpr int planes = Patch::PlanesOfPixel::count, columns = Patch::words + 2;
    constexpr int together = Patch::rows == 1 ? 1 : 2;  // rows of results that share comparisons
    TS_UNROLL
    for (int first = 0; first < Patch::rows; first += together) {
      std::uint32_t result[together][planes][Patch::words];
      TS_UNROLL
      for (int plane = 0; plane < planes; ++plane) {
        SortedColumn even[together][columns], odd[together][columns];
        const auto sort_columns_of = [&](int w) {
          const auto sort = [&](const auto& pixels, auto& sorted) {
            const auto row = [&](int y) { return pixels(patch.word[plane][first + y][w]); };
            const std::uint32_t low = min_u16x2(row(1), row(2)), high = max_u16x2(row(1), row(2));
            TS_UNROLL
            for (int r = 0; r < together; ++r)
              sorted[r][w] = sorted_with(low, high, row(r == 0 ? 0 : 3));
          };
          sort([](std::uint32_t word) { return even_pixels(word); }, even);
          sort([](std::uint32_t word) { return odd_pixels(word); }, odd);
        };
        // From left to right, so that few sorted columns are in registers at a time.
        sort_columns_of(0);
        sort_columns_of(1);
        TS_UNROLL
        for (int w = 0; w < Patch::words; ++w) {
          sort_columns_of(w + 2);
          TS_UNROLL
          for (int r = 0; r < together; ++r)
            result[r][plane][w] = medians(even[r] + w + 1, odd[r] + w + 1);
        }
      }
      TS_UNROLL
      for (int r = 0; r < together; ++r)
        store_result(first + r, result[r]);
    }
  }

 private:
  /// The medians of four pixels. `even` and `odd` point to the columns of their word; those of the words before and
  /// after are beside them.
  TS_HD std::uint32_t medians(const SortedColumn* even, const SortedColumn* odd) const {
    const SortedColumn &e = even[0],
                       &o = odd[0];  // the windows of an even pixel and of the next odd one share these columns
    const std::uint32_t low = max_u16x2(e.low, o.low), high = min_u16x2(e.high, o.high);
    const std::uint32_t lower = min_u16x2(e.middle, o.middle), upper = max_u16x2(e.middle, o.middle);
    const auto with = [&](std::uint32_t third_low, std::uint32_t third_middle, std::uint32_t third_high) {
      const std::uint32_t a = max_u16x2(low, third_low), b = middle_with(lower, upper, third_middle);
      return middle_with(min_u16x2(a, b), max_u16x2(a, b), min_u16x2(high, third_high));
    };
    const SortedColumn &left = odd[-1], &right = even[1];
    return factors.interleaved(
        with(between(left.low, o.low), between(left.middle, o.middle), between(left.high, o.high)),
        with(between(e.low, right.low), between(e.middle, right.middle), between(e.high, right.high)));
  }
};

}  // namespace threadscape::median
