// Derivatives by larger masks and angles, with all cores and SIMD. A thread reads the values of a tile with its halo
// once and adds up columns and rows of them; the loops go along rows of numbers, and the compiler makes vectors of them
// for each instruction set. Pixels are read and written by code that is compiled once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/engines/gradient/gradient_derivatives_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "compute/engines/gradient/gradient_derivatives.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/lines.h"
#include "compute/engines/planes/plane_tile.h"

#ifndef THREADSCAPE_GRADIENT_DERIVATIVE_TILE
#define THREADSCAPE_GRADIENT_DERIVATIVE_TILE
namespace threadscape::gradient {
inline constexpr int derivative_tile_width = stretch;
inline constexpr int line_length = derivative_tile_width + 2 * max_derivative_radius;

/// Computes `count` neighbouring results of one row and plane. `lines` points at the lines of values under the rows of
/// the masks.
template <class Sum, class Result>
using RowFilter = void (*)(const DerivativePlan& plan, const Sum (*lines)[line_length], int count, Result* results);

/// By the type of the sums, and of the results: pixels, or floats that are angles.
struct RowFilters {
  RowFilter<int, std::uint8_t> bytes;
  RowFilter<float, float> floats;
  RowFilter<int, float> byte_angles;
  RowFilter<float, float> float_angles;
};
}  // namespace threadscape::gradient
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::gradient {
namespace HWY_NAMESPACE {

/// sums[i] += weight * line[i]
template <class Sum>
HWY_INLINE void add_line(int weight, const Sum* HWY_RESTRICT line, int count, Sum* HWY_RESTRICT sums) {
  const Sum factor = static_cast<Sum>(weight);
  for (int i = 0; i < count; ++i)
    sums[i] += factor * line[i];
}

/// The derivatives of `count` neighbouring pixels of one row and plane.
template <class Sum>
struct RowDerivatives {
  Sum x[derivative_tile_width], y[derivative_tile_width];

  /// `lines` points at the lines of values under the rows of the masks.
  HWY_INLINE void compute(const DerivativePlan& plan, const Sum (*lines)[line_length], int count) {
    Sum smooth[line_length], slope[line_length];
    const int length = count + plan.size - 1;
    std::fill_n(smooth, length, Sum{0});
    std::fill_n(slope, length, Sum{0});
    for (int ky = 0; ky < plan.size; ++ky) {
      add_line(plan.smooth[ky], lines[ky], length, smooth);
      add_line(plan.slope[ky], lines[ky], length, slope);
    }
    std::fill_n(x, count, Sum{0});
    std::fill_n(y, count, Sum{0});
    for (int kx = 0; kx < plan.size; ++kx) {
      add_line(plan.slope[kx], smooth + kx, count, x);
      add_line(plan.smooth[kx], slope + kx, count, y);
    }
  }
};

template <class Sum, class Result, bool angles>
void filter_row(const DerivativePlan& plan, const Sum (*lines)[line_length], int count, Result* HWY_RESTRICT results) {
  RowDerivatives<Sum> row;
  row.compute(plan, lines, count);
  for (int i = 0; i < count; ++i)
    if constexpr (angles)
      results[i] = turns(static_cast<float>(row.x[i]), static_cast<float>(row.y[i]));
    else
      results[i] = derivative_pixel(plan, {row.x[i], row.y[i]}, Result{});
}

RowFilters row_filters() {
  return {filter_row<int, std::uint8_t, false>, filter_row<float, float, false>, filter_row<int, float, true>,
          filter_row<float, float, true>};
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::gradient {

HWY_EXPORT(row_filters);

namespace {

template <class P, class Out, class Filter>
void filter_tile(const DerivativePlan& plan, const HostRun& run, const TileArea& tile, Filter filter) {
  using Sum = DerivativeSum<typename P::Value>;
  const auto in = run.in.image<typename P::Pixel>();
  const auto out = run.out.image<typename Out::Pixel>();
  const int radius = plan.radius();
  Sum lines[band_height + 2 * max_derivative_radius][line_length];
  for (int y = tile.y; y < tile.y + tile.height; ++y)
    for (int x = tile.x; x < tile.x + tile.width; ++x)
      out(x, y) = Out::initial(in(x, y));
  for (int plane = 0; plane < P::count; ++plane) {
    for (int row = 0; row < tile.height + 2 * radius; ++row)
      read_line<P>(in, tile.x - radius, tile.y - radius + row, tile.width + 2 * radius, plane, plan.border, lines[row]);
    for (int row = 0; row < tile.height; ++row) {
      typename Out::Planes::Value results[derivative_tile_width];
      filter(plan, lines + row, tile.width, results);
      const Columns columns(tile.y + row, in.width, in.height, radius, plan.border);
      for (int x = std::max(tile.x, columns.first); x < std::min(tile.x + tile.width, columns.end); ++x)
        Out::Planes::set(out(x, tile.y + row), plane, results[x - tile.x]);
    }
  }
}

}  // namespace

void openmp(const DerivativePlan& plan, const HostRun& run) {
  const RowFilters filters = HWY_DYNAMIC_DISPATCH(row_filters)();
  with_derivatives(plan, run.in.shape, [&](auto planes, auto output) {
    using P = decltype(planes);
    using Out = decltype(output);
    constexpr bool bytes = std::is_same_v<typename P::Value, std::uint8_t>;
    constexpr bool angles = std::is_same_v<Out, DerivativeOutput<P, true>>;
    const auto filter = [&] {
      if constexpr (bytes && angles) return filters.byte_angles;
      if constexpr (bytes && !angles) return filters.bytes;
      if constexpr (!bytes && angles) return filters.float_angles;
      if constexpr (!bytes && !angles) return filters.floats;
    }();
    for_each_tile(run, derivative_tile_width, band_height, [&](int x, int y, int width, int height) {
      filter_tile<P, Out>(plan, run, {x, y, width, height}, filter);
    });
  });
}

}  // namespace threadscape::gradient
#endif
