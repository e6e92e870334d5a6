// Separable filters, the readable reference on one thread: for each row of results the column sums of that row, then
// the sums along it.

#include <algorithm>
#include <vector>

#include "compute/core/run.h"
#include "compute/engines/planes/planes.h"
#include "compute/engines/separable/separable.h"
#include "compute/kernel/shrink.h"

namespace threadscape::separable {
namespace {

/// Computes columns first .. end - 1 of row y of the results. column_sums[term] has room for width + 2 * radius sums.
/// Part of a row is possible for Border::shrink, whose sums need no column sums from the far end of the picture.
template <class P, class Rules, class Sum = typename Rules::Sum>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y,
                int first, int end, Sum* const (&column_sums)[max_terms]) {
  const auto& mask = Rules::mask(plan);
  const int radius = plan.radius, size = 2 * radius + 1;
  const int left = std::max(first - radius, 0), right = std::min(end + radius, in.width);  // columns that are summed

  std::copy(in.row(y) + first, in.row(y) + end, out.row(y) + first);  // keeps alpha, and the border under Border::valid
  for (int plane = 0; plane < P::count; ++plane) {
    for (int term = 0; term < plan.terms; ++term) {
      Sum* const sums = column_sums[term] + radius;  // sums[x] belongs to column x
      std::fill(sums + left, sums + right, Sum{0});
      for (int i = 0; i < size; ++i) {
        const int row = border_index(y + i - radius, in.height, plan.border);
        for (int x = left; x < right && row >= 0; ++x)
          sums[x] += mask.column[term][i] * Sum(P::get(in(x, row), plane));
      }
      for (int x = left; x < right; ++x)
        sums[x] = Rules::column_value(sums[x], plan);
      for (int x = 1; x <= radius; ++x)  // the columns outside the picture, `radius` on either side
        for (const int outside : {-x, in.width - 1 + x}) {
          const int column = border_index(outside, in.width, plan.border);
          sums[outside] = column < 0 ? Sum{0} : sums[column];
        }
    }
    for (int x = first; x < end; ++x) {
      const bool leaves = window_leaves(x, y, in.width, in.height, radius);
      if (plan.border == Border::valid && leaves) continue;
      Sum sums[max_terms] = {};
      for (int term = 0; term < plan.terms; ++term)
        for (int i = 0; i < size; ++i)
          sums[term] += mask.row[term][i] * column_sums[term][x + i];
      Sum total = plan.terms == 2 ? sums[0] + sums[1] : sums[0];
      const bool completed = plan.border == Border::shrink && leaves;
      if (completed) total = completed_sum<Rules>(total, plan, x, y, in.width, in.height);
      P::set(out(x, y), plane,
             finish_window(total, P::get(in(x, y), plane), plan, completed ? completed_uncertainty : 1.0f));
    }
  }
}

}  // namespace

namespace {

/// Calls filter(y, first, end), which computes part of a row, for the parts for which parts(filter) asks.
template <class Parts>
void filter_parts(const Plan& plan, const HostRun& run, void* sums, const Parts& parts) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    with_arithmetic<typename P::Value>(plan, [&](auto rules) {
      using Rules = decltype(rules);
      using Sum = typename Rules::Sum;
      Sum* const rows[max_terms]{static_cast<Sum*>(sums),
                                 static_cast<Sum*>(sums) + run.in.shape.width + 2 * plan.radius};
      parts([&](int y, int first, int end) {
        filter_row<P, Rules>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y, first, end, rows);
      });
    });
  });
}

}  // namespace

void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1, void* sums) {
  filter_parts(plan, run, sums, [&](const auto& filter) {
    for (int y = y0; y < y1; ++y)
      filter(y, 0, static_cast<int>(run.in.shape.width));
  });
}

void shrink_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  std::vector<float> sums(max_terms * static_cast<std::size_t>(run.in.shape.width + 2 * max_radius));
  filter_parts(plan, run, sums.data(), [&](const auto& filter) {
    for_each_edge_part(static_cast<int>(run.in.shape.width), static_cast<int>(run.in.shape.height), plan.radius, y0, y1,
                       filter);
  });
}

void serial(const Plan& plan, const HostRun& run) {
  check(plan);
  const int height = static_cast<int>(run.in.shape.height);
  std::byte* sums = run.scratch->take<std::byte>(scratch_bytes(plan, run.in.shape, Backend::serial, 0)).data();
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    filter_rows(plan, run, y, y + 1, sums);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

}  // namespace threadscape::separable
