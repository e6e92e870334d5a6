// Separable filters, the readable reference on one thread: for each row of results the column sums of that row, then
// the sums along it.

#include <algorithm>

#include "compute/engines/planes/planes.h"
#include "compute/engines/separable/separable.h"

namespace threadscape::separable {
namespace {

/// Computes row y of the results. column_sums[term] has room for width + 2 * radius sums.
template <class P, class Rules, class Sum = typename Rules::Sum>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y,
                Sum* const (&column_sums)[max_terms]) {
  const auto& mask = Rules::mask(plan);
  const int radius = plan.radius, size = 2 * radius + 1;

  std::copy(in.row(y), in.row(y) + in.width, out.row(y));  // keeps alpha, and the border under Border::valid
  for (int plane = 0; plane < P::count; ++plane) {
    for (int term = 0; term < plan.terms; ++term) {
      Sum* const sums = column_sums[term] + radius;  // sums[x] belongs to column x
      std::fill(sums, sums + in.width, Sum{0});
      for (int i = 0; i < size; ++i) {
        const int row = border_index(y + i - radius, in.height, plan.border);
        for (int x = 0; x < in.width && row >= 0; ++x)
          sums[x] += mask.column[term][i] * Sum(P::get(in(x, row), plane));
      }
      for (int x = 0; x < in.width; ++x)
        sums[x] = Rules::column_value(sums[x], plan);
      for (int x = 1; x <= radius; ++x)  // the columns outside the picture, `radius` on either side
        for (const int outside : {-x, in.width - 1 + x}) {
          const int column = border_index(outside, in.width, plan.border);
          sums[outside] = column < 0 ? Sum{0} : sums[column];
        }
    }
    for (int x = 0; x < in.width; ++x) {
      if (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius)) continue;
      Sum sums[max_terms] = {};
      for (int term = 0; term < plan.terms; ++term)
        for (int i = 0; i < size; ++i)
          sums[term] += mask.row[term][i] * column_sums[term][x + i];
      const Sum total = plan.terms == 2 ? sums[0] + sums[1] : sums[0];
      P::set(out(x, y), plane, finish_window(total, P::get(in(x, y), plane), plan));
    }
  }
}

}  // namespace

void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1, void* sums) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    with_arithmetic<typename P::Value>(plan, [&](auto rules) {
      using Rules = decltype(rules);
      using Sum = typename Rules::Sum;
      Sum* const rows[max_terms]{static_cast<Sum*>(sums),
                                 static_cast<Sum*>(sums) + run.in.shape.width + 2 * plan.radius};
      for (int y = y0; y < y1; ++y)
        filter_row<P, Rules>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y, rows);
    });
  });
}

void serial(const Plan& plan, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  std::byte* sums = run.scratch->take<std::byte>(scratch_bytes(plan, run.in.shape, Backend::serial, 0)).data();
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    filter_rows(plan, run, y, y + 1, sums);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

}  // namespace threadscape::separable
