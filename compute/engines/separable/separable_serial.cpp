// Separable filters, the readable reference: for some neighbouring pixels of a row at a time, the column sums of that
// row, then the sums along it. The loops over the pixels are inside of those over the taps: each sum is added up in the
// order that separable.h defines, but none waits for the additions of the one before it.

#include <algorithm>

#include "compute/core/rows.h"
#include "compute/engines/planes/lines.h"
#include "compute/engines/separable/separable.h"
#include "compute/kernel/shrink.h"

namespace threadscape::separable {
namespace {

constexpr int max_line = stretch + 2 * max_radius;

/// tap * value. The instructions of every x86 multiply 16-bit numbers by 16-bit numbers, but not 32-bit ones.
int scaled(std::int16_t tap, std::uint8_t value) {
  return tap * static_cast<std::int16_t>(value);
}
int scaled(std::int16_t tap, std::int16_t value) {
  return tap * value;
}
int scaled(std::int16_t tap, int value) {
  return tap * value;
}
template <class Value>
float scaled(float tap, Value value) {
  return tap * static_cast<float>(value);
}

/// sums[i] += tap * values[i] for `count` sums.
template <class Sum, class Tap, class Value>
void add_scaled(Sum* __restrict__ sums, Tap tap, const Value* __restrict__ values, int count) {
  if (tap == Tap{1})
    for (int i = 0; i < count; ++i)
      sums[i] += static_cast<Sum>(values[i]);
  else
    for (int i = 0; i < count; ++i)
      sums[i] += scaled(tap, values[i]);
}

/// The window sums of `count` pixels from (x, y) on.
template <class P, class Rules, class Sum = typename Rules::Sum>
void sum_windows(const Plan& plan, ImageView<const typename P::Pixel> in, int x, int y, int count, int plane,
                 Sum* totals) {
  const auto& mask = Rules::mask(plan);
  const int radius = plan.radius, size = 2 * radius + 1, length = count + 2 * radius;
  for (int term = 0; term < plan.terms; ++term) {
    Sum columns[max_line], sums[stretch];
    typename P::Value buffer[max_line];
    std::fill_n(columns, length, Sum{0});
    for (int i = 0; i < size; ++i)
      add_scaled(columns, mask.column[term][i],
                 line_of<P>(in, x - radius, y + i - radius, length, plane, plan.border, buffer), length);
    const auto add_row = [&](const auto* values) {
      std::fill_n(sums, count, Sum{0});
      for (int i = 0; i < size; ++i)
        add_scaled(sums, mask.row[term][i], values + i, count);
    };
    if (plan.shift == 0 || std::is_same_v<Rules, Reals>) {
      add_row(columns);
    } else {
      std::int16_t rounded[max_line];
      for (int i = 0; i < length; ++i)
        rounded[i] = static_cast<std::int16_t>(Rules::column_value(columns[i], plan));
      add_row(rounded);
    }
    for (int i = 0; i < count; ++i)
      totals[i] = term == 0 ? sums[i] : totals[i] + sums[i];
  }
}

/// The results of `count` windows from their sums; `pixels` are those in the middle.
template <class Sum, class Value>
void finish_windows(const Plan& plan, const Sum* totals, const Value* pixels, int count, Value* results) {
  if constexpr (std::is_same_v<Sum, int>)
    if (plan.equal && plan.result == Result::smooth && plan.radius < max_radius) {
      // floor((sum + n / 2) / n) as a product with 2^32 / n rounded up: the product is too large by less than
      // (sum + n / 2) / 2^32, which is less than 1 / n for n <= 63^2.
      const auto size = static_cast<std::uint64_t>((2 * plan.radius + 1) * (2 * plan.radius + 1));
      const std::uint64_t factor = ((std::uint64_t{1} << 32) + size - 1) / size, half = size / 2;
      for (int i = 0; i < count; ++i)
        results[i] = static_cast<Value>((static_cast<std::uint32_t>(totals[i]) + half) * factor >> 32);
      return;
    }
  for (int i = 0; i < count; ++i)
    results[i] = finish_window(totals[i], pixels[i], plan);
}

/// Computes columns first .. end - 1 of row y of the results.
template <class P, class Rules, class Sum = typename Rules::Sum>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y,
                int first, int end) {
  using Value = typename P::Value;
  if (std::is_class_v<typename P::Pixel> || plan.border == Border::valid)
    std::copy(in.row(y) + first, in.row(y) + end, out.row(y) + first);  // Alpha, and the border, stay as they are.
  const Columns columns(y, in.width, in.height, plan.radius, plan.border);
  for (int x = std::max(first, columns.first), count = 0; x < std::min(end, columns.end); x += count) {
    count = stretch_from(x, std::min(end, columns.end), in.width);
    for (int plane = 0; plane < P::count; ++plane) {
      Sum totals[stretch];
      Value buffer[stretch], results[stretch];
      sum_windows<P, Rules>(plan, in, x, y, count, plane, totals);
      const Value* const pixels = line_of<P>(in, x, y, count, plane, plan.border, buffer);
      finish_windows(plan, totals, pixels, count, results);
      for (int i = 0; i < count && plan.border == Border::shrink; ++i)
        if (window_leaves(x + i, y, in.width, in.height, plan.radius))
          results[i] = finish_window(completed_sum<Rules>(totals[i], plan, x + i, y, in.width, in.height), pixels[i],
                                     plan, completed_uncertainty);
      for (int i = 0; i < count; ++i)
        P::set(out(x + i, y), plane, results[i]);
    }
  }
}

/// Calls parts(filter), where filter(y, first, end) computes part of a row.
template <class Parts>
void filter_parts(const Plan& plan, const HostRun& run, const Parts& parts) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    with_arithmetic<typename P::Value>(plan, [&](auto rules) {
      parts([&](int y, int first, int end) {
        filter_row<P, decltype(rules)>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y, first, end);
      });
    });
  });
}

}  // namespace

void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  filter_parts(plan, run, [&](const auto& filter) {
    for (int y = y0; y < y1; ++y)
      filter(y, 0, static_cast<int>(run.in.shape.width));
  });
}

void shrink_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  filter_parts(plan, run, [&](const auto& filter) {
    for_each_edge_part(static_cast<int>(run.in.shape.width), static_cast<int>(run.in.shape.height), plan.radius, y0, y1,
                       filter);
  });
}

void serial(const Plan& plan, const HostRun& run) {
  check(plan);
  for_rows(run, run.in.shape.height, [&](int y) { filter_rows(plan, run, y, y + 1); });
}

}  // namespace threadscape::separable
