// The mean with a threshold, the readable reference: for some neighbouring pixels of a row at a time, the column sums
// of their windows, then the sums of these.

#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/lines.h"

namespace threadscape {
namespace threshold_mean {
namespace {

/// Computes row y of the results.
template <class P>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y) {
  using Value = typename P::Value;
  const int radius = plan.radius();
  keep_row(in, out, y, plan.border);
  const Columns range(y, in.width, in.height, radius, plan.border);
  for (int x = range.first, count = 0; x < range.end; x += count) {
    count = stretch_from(x, range.end, in.width);
    const int length = count + 2 * radius;
    for (int plane = 0; plane < P::count; ++plane) {
      Sum<Value> columns[stretch + 2 * max_radius] = {}, sums[stretch] = {};
      Value buffer[stretch + 2 * max_radius], results[stretch];
      for (int dy = -radius; dy <= radius; ++dy) {
        const Value* const line = line_of<P>(in, x - radius, y + dy, length, plane, plan.border, buffer);
        for (int i = 0; i < length; ++i)
          columns[i] += line[i];
      }
      for (int dx = 0; dx < plan.size; ++dx)
        for (int i = 0; i < count; ++i)
          sums[i] += columns[i + dx];
      const Value* const old = line_of<P>(in, x, y, count, plane, plan.border, buffer);
      for (int i = 0; i < count; ++i)
        results[i] = chosen(old[i], sums[i], plan);
      for (int i = 0; i < count; ++i)
        P::set(out(x + i, y), plane, results[i]);
    }
  }
}

}  // namespace
}  // namespace threshold_mean

void ThresholdMean::serial(const Params& params, const HostRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const threshold_mean::Plan own_plan = plan(params);
    for_rows(run, run.in.shape.height,
             [&](int y) { threshold_mean::filter_row<P>(own_plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y); });
  });
}

}  // namespace threadscape
