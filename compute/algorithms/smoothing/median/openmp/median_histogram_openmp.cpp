// Percentiles of bytes with large windows, with all cores and SIMD, in constant time after Perreault and Hebert. Every
// column of the tile has a histogram of its values in the rows of the window; from row to row one value is added to it
// and one is removed. From pixel to pixel one column is added to the histogram of the window and one is removed.
//
// All histograms are cumulative and have two levels of sixteen entries: entry i of a level counts the values up to i.
// So a value changes a whole level, which is one vector operation, and the entry that a rank falls into is found by
// comparing all sixteen at once. The fine levels of the window are updated only when the rank falls into them.
//
//   value 0x53 in a column:   coarse       0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1     entries 5 .. 15, the upper four bits
//                             fine[5]      0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1     entries 3 .. 15, the lower four bits
//
//   a vector: one level of a column, 16 lanes of 8 bits, or of the window, 16 lanes of 16 bits (or parts of these)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/smoothing/median/openmp/median_histogram_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <cstring>

#include "compute/algorithms/smoothing/median/openmp/median_openmp.h"
#include "compute/engines/planes/bands.h"

#ifndef THREADSCAPE_MEDIAN_HISTOGRAM_TILE
#define THREADSCAPE_MEDIAN_HISTOGRAM_TILE
namespace threadscape::median {

inline constexpr int histogram_tile = 256;  ///< Side of a tile in pixels.
inline constexpr int histogram_columns = histogram_tile + 2 * max_radius;

/// Sixteen cumulative counts of a column.
using Level = std::array<std::uint8_t, 16>;
/// of[v] is what a value v adds to a cumulative level.
struct Steps {
  alignas(16) Level of[16];
};
inline constexpr Steps steps = [] {
  Steps s{};
  for (std::size_t v = 0; v < 16; ++v)
    for (std::size_t i = v; i < 16; ++i)
      s.of[v][i] = 1;
  return s;
}();

/// The histogram of a column, which contains at most 75 values.
struct alignas(16) ColumnHistogram {
  Level coarse;
  Level fine[16];
};

/// A tile of one plane with its halo, its results, and the histograms of its columns.
struct HistogramTile {
  std::uint8_t values[histogram_columns][histogram_columns];
  std::uint8_t results[histogram_tile][histogram_tile];
  ColumnHistogram columns[histogram_columns];
};

}  // namespace threadscape::median
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::median {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::CappedTag<std::uint8_t, 16>;
using D16 = hn::CappedTag<std::int16_t, 16>;

HWY_INLINE void add_value(ColumnHistogram& to, std::uint8_t value) {
  const D8 d;
  for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
    auto* coarse = &to.coarse[i];
    auto* fine = &to.fine[value >> 4][i];
    hn::Store(hn::Add(hn::Load(d, coarse), hn::Load(d, &steps.of[value >> 4][i])), d, coarse);
    hn::Store(hn::Add(hn::Load(d, fine), hn::Load(d, &steps.of[value & 15][i])), d, fine);
  }
}
HWY_INLINE void remove_value(ColumnHistogram& from, std::uint8_t value) {
  const D8 d;
  for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
    auto* coarse = &from.coarse[i];
    auto* fine = &from.fine[value >> 4][i];
    hn::Store(hn::Sub(hn::Load(d, coarse), hn::Load(d, &steps.of[value >> 4][i])), d, coarse);
    hn::Store(hn::Sub(hn::Load(d, fine), hn::Load(d, &steps.of[value & 15][i])), d, fine);
  }
}

/// Sixteen cumulative counts of the window.
struct WindowLevel {
  alignas(64) std::int16_t counts[16];

  HWY_INLINE void clear() { std::memset(counts, 0, sizeof(counts)); }
  HWY_INLINE void add(const Level& column) {
    const D16 d;
    const hn::Rebind<std::uint8_t, D16> d8;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d))
      hn::Store(hn::Add(hn::Load(d, counts + i), hn::PromoteTo(d, hn::Load(d8, &column[i]))), d, counts + i);
  }
  HWY_INLINE void add_and_remove(const Level& added, const Level& removed) {
    const D16 d;
    const hn::Rebind<std::uint8_t, D16> d8;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
      const auto change =
          hn::Sub(hn::PromoteTo(d, hn::Load(d8, &added[i])), hn::PromoteTo(d, hn::Load(d8, &removed[i])));
      hn::Store(hn::Add(hn::Load(d, counts + i), change), d, counts + i);
    }
  }
  /// The index of the first entry that counts more than `rank` values.
  HWY_INLINE int find(int rank) const {
    const D16 d;
    std::size_t entries = 0;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d))
      entries += hn::CountTrue(d, hn::Lt(hn::Load(d, counts + i), hn::Set(d, static_cast<std::int16_t>(rank + 1))));
    return static_cast<int>(entries);
  }
};

/// The histogram of a window that slides along one row.
class SlidingWindow {
 public:
  HWY_INLINE SlidingWindow(const ColumnHistogram* columns, int size) : columns_(columns), size_(size) {
    coarse_.clear();
    for (int i = 0; i < size; ++i)
      coarse_.add(columns[i].coarse);
    for (int& at : fine_at_)
      at = -size;  // This is so far away that the fine level is computed from all columns.
  }
  /// The value of this rank in the window that starts at column x.
  HWY_INLINE std::uint8_t select(int x, int rank) {
    const int bin = coarse_.find(rank);
    WindowLevel& fine = fine_[bin];
    const auto level = static_cast<std::size_t>(bin);
    int& at = fine_at_[bin];
    if (x - at >= size_) {
      fine.clear();
      for (int i = x; i < x + size_; ++i)
        fine.add(columns_[i].fine[level]);
    } else {
      for (int i = at; i < x; ++i)
        fine.add_and_remove(columns_[i + size_].fine[level], columns_[i].fine[level]);
    }
    at = x;
    return static_cast<std::uint8_t>(bin * 16 + fine.find(bin == 0 ? rank : rank - coarse_.counts[bin - 1]));
  }
  /// Moves the window from column x to x + 1.
  HWY_INLINE void slide(int x) { coarse_.add_and_remove(columns_[x + size_].coarse, columns_[x].coarse); }

 private:
  const ColumnHistogram* columns_;
  int size_;
  WindowLevel coarse_;
  WindowLevel fine_[16];
  int fine_at_[16];  ///< The window's column when each fine level was last updated.
};

void filter_histogram_tile(int size, int rank, int width, int height, HistogramTile& tile) {
  ColumnHistogram* const columns = tile.columns;
  const int columns_around = width + size - 1;
  std::memset(columns, 0, sizeof(ColumnHistogram) * static_cast<std::size_t>(columns_around));
  for (int y = 0; y < size - 1; ++y)
    for (int x = 0; x < columns_around; ++x)
      add_value(columns[x], tile.values[y][x]);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < columns_around; ++x)
      add_value(columns[x], tile.values[y + size - 1][x]);
    SlidingWindow window(columns, size);
    for (int x = 0; x < width; ++x) {
      tile.results[y][x] = window.select(x, rank);
      if (x + 1 < width) window.slide(x);
    }
    for (int x = 0; x < columns_around; ++x)
      remove_value(columns[x], tile.values[y][x]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::median
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::median {

HWY_EXPORT(filter_histogram_tile);

void filter_by_histograms(const Plan& plan, const HostRun& run) {
  const auto filter_tile = HWY_DYNAMIC_DISPATCH(filter_histogram_tile);
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    for_each_tile(run, histogram_tile, histogram_tile, [&](int x, int y, int width, int height) {
      HistogramTile tile;
      filter_area<decltype(planes)>(
          run, {x, y, width, height}, plan.radius(), plan.border,
          TilePlane<std::uint8_t, std::uint8_t>{tile.values[0], histogram_columns, tile.results[0], histogram_tile},
          [&] { filter_tile(plan.size, plan.rank, width, height, tile); });
    });
  });
}

}  // namespace threadscape::median
#endif
