// Convolution, the readable reference: the mask moves over the picture, and every pixel gets the weighted sum of its
// window. One thread, no tricks.
//
// The sums of some neighbouring pixels of a row are computed together, tap by tap: for pixel i of them, tap (kx, ky)
// adds its weight times value i + kx of line ky. Each sum is added up in the order that convolution_math.h defines, but
// none waits for the additions of the one before it. The border of the picture is a matter of reading a line, and lines
// in the interior of the picture are read without asking for it.

#include <algorithm>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/lines.h"

namespace threadscape::convolution {
namespace {

constexpr int max_line = stretch + 2 * max_radius;

/// The values of one plane that `count` neighbouring windows need; (left, top) is the first pixel of the first window.
template <class P>
struct Lines {
  ImageView<const typename P::Pixel> in;
  const Plan& plan;
  int left, top, count, plane;

  [[nodiscard]] int length() const { return count + plan.size - 1; }
  /// Reads the line under row ky of the mask.
  template <class Number>
  void read(int ky, Number* line) const {
    read_line<P>(in, left, top + ky, length(), plane, plan.border, line);
  }
};

/// The sums of the windows for Order::whole and Order::rows: row by row of the mask, and tap by tap of a row.
template <class P, class Number>
void sum_windows(const Lines<P>& lines, const Number* taps, Number* sums) {
  const int size = lines.plan.size;
  Number line[max_line];
  std::fill_n(sums, lines.count, Number{0});
  for (int ky = 0; ky < size; ++ky) {
    lines.read(ky, line);
    for (int kx = 0; kx < size; ++kx)
      for (int i = 0; i < lines.count; ++i)
        sums[i] += taps[ky * size + kx] * line[i + kx];
  }
}

/// The sums of the windows for Order::factors: first along columns, then along the row of these sums.
template <class P>
void sum_factors(const Lines<P>& lines, float* sums) {
  const Plan& plan = lines.plan;
  float line[max_line], column_sums[max_line] = {};
  for (int ky = 0; ky < plan.size; ++ky) {
    lines.read(ky, line);
    for (int i = 0; i < lines.length(); ++i)
      column_sums[i] += plan.column[ky] * line[i];
  }
  std::fill_n(sums, lines.count, 0.0f);
  for (int kx = 0; kx < plan.size; ++kx)
    for (int i = 0; i < lines.count; ++i)
      sums[i] += plan.row[kx] * column_sums[i + kx];
}

/// For Border::shrink: completes those sums whose window leaves the picture.
template <class P, class Number>
void complete_windows(const Lines<P>& lines, const ShrinkingMask* shrinking, Number* sums) {
  const int radius = lines.plan.radius;
  for (int i = 0; i < lines.count && shrinking; ++i)
    if (window_leaves(lines.left + i + radius, lines.top + radius, lines.in.width, lines.in.height, radius))
      sums[i] = shrinking->complete(sums[i], lines.left + i, lines.top);
}

/// The sums of the windows, in the order of the plan. `shrinking` is null for other borders than Border::shrink.
template <class P>
void sum_in_order(const Lines<P>& lines, const ShrinkingMask* shrinking, float* sums) {
  const Plan& plan = lines.plan;
  const Order order = plan.order<typename P::Value>();
  if (order != Order::whole) {
    if (order == Order::factors)
      sum_factors(lines, sums);
    else
      sum_windows(lines, plan.taps, sums);
    return complete_windows(lines, shrinking, sums);
  }
  int whole[stretch];
  sum_windows(lines, plan.units, whole);
  complete_windows(lines, shrinking, whole);
  for (int i = 0; i < lines.count; ++i)
    sums[i] = static_cast<float>(whole[i]) * plan.unit;
}

/// Computes columns first .. end - 1 of row y of the results.
template <class P>
void convolve_columns(const Plan& plan, const ShrinkingMask* shrinking, ImageView<const typename P::Pixel> in,
                      ImageView<typename P::Pixel> out, int y, int first, int end) {
  const Finish finish = plan.finish;
  for (int x = first; x < end; x += stretch)
    for (int plane = 0; plane < P::count; ++plane) {
      const int count = std::min(stretch, end - x);
      float sums[stretch];
      sum_in_order(Lines<P>{in, plan, x - plan.radius, y - plan.radius, count, plane}, shrinking, sums);
      for (int i = 0; i < count; ++i)
        P::set(out(x + i, y), plane, finish_pixel<typename P::Value>(sums[i], finish));
    }
}

template <class P>
void convolve_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y) {
  keep_row(in, out, y, plan.border);
  const Columns columns(y, in.width, in.height, plan.radius, plan.border);
  convolve_columns<P>(plan, nullptr, in, out, y, columns.first, columns.end);
}

}  // namespace

void convolve_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    for (int y = y0; y < y1; ++y)
      convolve_row<P>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y);
  });
  if (plan.border == Border::shrink) shrink_edges(plan, run, y0, y1);
}

void shrink_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    Tap mask[max_taps];
    const Order order = plan.order<typename P::Value>();
    fill_mask(plan, order, mask);
    const ShrinkingMask shrinking(order, mask, plan.size, in.width, in.height);
    for_each_edge_part(in.width, in.height, plan.radius, y0, y1, [&](int y, int first, int end) {
      convolve_columns<P>(plan, &shrinking, in, out, y, first, end);
    });
  });
}

void serial(const Plan& plan, const HostRun& run) {
  check(plan);
  for_rows(run, run.in.shape.height, [&](int y) { convolve_rows(plan, run, y, y + 1); });
}

}  // namespace threadscape::convolution
