// The rotating mask, the readable reference on one thread: every pixel of every mask. The loops over neighbouring
// pixels are inside of those over a mask: each sum is added up in the same order, but none waits for the one before it.

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/lines.h"

namespace threadscape {
namespace rotating_mask {
namespace {

/// What Mask::add() adds up for a value: bytes themselves, and floats as their differences from the pixel.
std::int32_t summand(std::uint8_t value, std::uint8_t) {
  return value;
}
float summand(float value, float centre) {
  return value - centre;
}

/// Adds `values` to the sums of `count` neighbouring pixels, and their squares to the sums of squares.
template <class Value, class Sum>
void add_values(const Value* __restrict__ values, const Value* __restrict__ centres, int count, Sum* __restrict__ sums,
                Sum* __restrict__ squares) {
  for (int i = 0; i < count; ++i) {
    const Sum value = summand(values[i], centres[i]);
    sums[i] += value;
    squares[i] += value * value;
  }
}

/// Filters one plane of `count` pixels from (x, y) on.
template <class P, class Value = typename P::Value>
void filter_stretch(const Plan& plan, ImageView<const typename P::Pixel> in, int x, int y, int count, int plane,
                    Value* results) {
  using Sum = decltype(Mask<Value>::sum);
  constexpr int max_line = stretch + 2 * max_radius;
  const int radius = plan.radius();
  Value buffers[max_size][max_line];
  const Value* lines[max_size];  // Each begins `radius` pixels before x.
  for (int i = 0; i < plan.size; ++i)
    lines[i] = line_of<P>(in, x - radius, y + i - radius, count + 2 * radius, plane, plan.border, buffers[i]);
  const Value* const centres = lines[radius] + radius;
  Mask<Value> best[stretch];
  for (int mask = 0; mask < mask_count(plan.method); ++mask) {
    Sum sums[stretch], squares[stretch];
    std::fill_n(sums, count, Sum{0});
    std::fill_n(squares, count, Sum{0});
    const Range rows = rows_of(plan.method, mask, radius);
    for (int dy = rows.first; dy <= rows.last; ++dy) {
      const Range columns = columns_of(plan.method, mask, radius, dy);
      for (int dx = columns.first; dx <= columns.last; ++dx)
        add_values(lines[dy + radius] + radius + dx, centres, count, sums, squares);
    }
    const int pixels = pixels_of(plan.method, mask, radius);
    for (int i = 0; i < count; ++i) {
      Mask<Value> candidate{.sum = sums[i], .squares = squares[i], .count = pixels};
      candidate.finish();
      if (mask == 0 || candidate.varies_less_than(best[i])) best[i] = candidate;
    }
  }
  for (int i = 0; i < count; ++i)
    results[i] = best[i].mean(centres[i]);
}

template <class P>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y) {
  keep_row(in, out, y, plan.border);
  const Columns columns(y, in.width, in.height, plan.radius(), plan.border);
  for (int x = columns.first, count = 0; x < columns.end; x += count) {
    count = stretch_from(x, columns.end, in.width);
    for (int plane = 0; plane < P::count; ++plane) {
      typename P::Value buffer[stretch];
      typename P::Value* const results = results_of<P>(out, x, y, buffer);
      filter_stretch<P>(plan, in, x, y, count, plane, results);
      set_line<P>(out, x, y, count, plane, results);
    }
  }
}

}  // namespace

void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    for (int y = y0; y < y1; ++y)
      filter_row<P>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y);
  });
}

}  // namespace rotating_mask

void RotatingMask::serial(const Params& params, const HostRun& run) {
  for_rows(run, run.in.shape.height, [&](int y) { rotating_mask::filter_rows(plan(params), run, y, y + 1); });
}

}  // namespace threadscape
