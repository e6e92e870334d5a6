// Derivatives by larger masks and angles, with all cores and SIMD. A thread reads the values of a tile with its halo
// once and adds up columns and rows of them; the loops go along rows of numbers, and the compiler makes vectors of them
// for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/engines/gradient/gradient_derivatives_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "compute/core/run.h"
#include "compute/engines/gradient/gradient_derivatives.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/lines.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::gradient {
namespace HWY_NAMESPACE {

constexpr int derivative_tile_width = stretch;
constexpr int line_length = derivative_tile_width + 2 * max_derivative_radius;

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

template <class P, class Out>
HWY_INLINE void filter_tile(const DerivativePlan& plan, ImageView<const typename P::Pixel> in,
                            ImageView<typename Out::Pixel> out, const int left, int top, int width, int height) {
  using Sum = DerivativeSum<typename P::Value>;
  const int radius = plan.radius();
  Sum lines[band_height + 2 * max_derivative_radius][line_length];
  for (int y = top; y < top + height; ++y)
    for (int x = left; x < left + width; ++x)
      out(x, y) = Out::initial(in(x, y));
  for (int plane = 0; plane < P::count; ++plane) {
    for (int row = 0; row < height + 2 * radius; ++row)
      read_line<P>(in, left - radius, top - radius + row, width + 2 * radius, plane, plan.border, lines[row]);
    for (int row = 0; row < height; ++row) {
      RowDerivatives<Sum> row_derivatives;
      typename Out::Planes::Value results[derivative_tile_width];
      row_derivatives.compute(plan, lines + row, width);
      for (int i = 0; i < width; ++i)
        results[i] = Out::value(plan, {row_derivatives.x[i], row_derivatives.y[i]});
      const Columns columns(top + row, in.width, in.height, radius, plan.border);
      for (int x = std::max(left, columns.first); x < std::min(left + width, columns.end); ++x)
        Out::Planes::set(out(x, top + row), plane, results[x - left]);
    }
  }
}

void find_derivatives(const DerivativePlan& plan, const HostRun& run, int left, int top, int width, int height) {
  with_derivatives(plan, run.in.shape, [&](auto planes, auto output) {
    using P = decltype(planes);
    using Out = decltype(output);
    filter_tile<P, Out>(plan, run.in.image<typename P::Pixel>(), run.out.image<typename Out::Pixel>(), left, top, width,
                        height);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::gradient {

HWY_EXPORT(find_derivatives);

void openmp(const DerivativePlan& plan, const HostRun& run) {
  for_each_tile(run, stretch, band_height, [&](int x, int y, int width, int height) {
    HWY_DYNAMIC_DISPATCH(find_derivatives)(plan, run, x, y, width, height);
  });
}

}  // namespace threadscape::gradient
#endif
