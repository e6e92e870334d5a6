// The serial variants `sorting` and `selection`: every window is copied to a list of its own. One thread, no tricks.

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/algorithms/smoothing/median/median_lists.h"
#include "compute/engines/planes/lines.h"

namespace threadscape::median {
namespace {

/// The results of row y. `sort` tells whether the list is sorted or searched.
template <class P>
void list_row(const Plan& plan, bool sort, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out,
              int y) {
  using Value = typename P::Value;
  const int radius = plan.radius(), count = plan.size * plan.size;
  const Columns columns(y, in.width, in.height, radius, plan.border);
  TotalOrderKey<Value> list[max_list];
  for (int x = columns.first; x < columns.end; ++x)
    for (int plane = 0; plane < P::count; ++plane) {
      int at = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
          list[at++] = total_order_key(plane_value<P>(in, x + dx, y + dy, plane, plan.border));
      if (sort) bubble_sort(list, count);
      const auto key = sort ? list[plan.rank] : find(list, count, plan.rank);
      P::set(out(x, y), plane, from_total_order_key<Value>(key));
    }
}

}  // namespace

void serial_from_lists(const Plan& plan, bool sort, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  copy(run.in, run.out);  // Keeps alpha, and the border for Border::valid.
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
      list_row<P>(plan, sort, run.in.image<Pixel>(), run.out.image<Pixel>(), y);
      if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
    }
  });
}

}  // namespace threadscape::median
