// The mean with a threshold, the readable reference on one thread: column sums of one row of windows, then sums of
// these.

#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {
namespace threshold_mean {
namespace {

/// Computes row y of the results. `columns` has room for width + 2 * radius sums.
template <class P>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y,
                std::span<Sum<typename P::Value>> columns) {
  using Value = typename P::Value;
  const int radius = plan.radius();
  for (int plane = 0; plane < P::count; ++plane) {
    for (int x = -radius; x < in.width + radius; ++x) {
      Sum<Value> sum = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        sum += plane_value<P>(in, x, y + dy, plane, plan.border);
      columns[static_cast<std::size_t>(x + radius)] = sum;
    }
    for (int x = 0; x < in.width; ++x) {
      if (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius)) continue;
      Sum<Value> sum = 0;
      for (int dx = -radius; dx <= radius; ++dx)
        sum += columns[static_cast<std::size_t>(x + dx + radius)];
      P::set(out(x, y), plane, chosen(P::get(in(x, y), plane), sum, plan));
    }
  }
}

}  // namespace
}  // namespace threshold_mean

void ThresholdMean::serial(const Params& params, const HostRun& run) {
  copy(run.in, run.out);  // keeps alpha, and the border under Border::valid
  with_planes<std::uint8_t, float>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto columns = run.scratch->take<threshold_mean::Sum<typename P::Value>>(
        static_cast<std::size_t>(run.in.shape.width) + static_cast<std::size_t>(params.size));
    const int height = static_cast<int>(run.in.shape.height);
    for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
      threshold_mean::filter_row<P>(plan(params), run.in.image<Pixel>(), run.out.image<Pixel>(), y, columns);
      if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
    }
  });
}

}  // namespace threadscape
