// The rotating mask, the readable reference on one thread: every pixel of every mask.

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {
namespace rotating_mask {
namespace {

template <class P>
void filter_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y) {
  const int radius = plan.radius();
  for (int x = 0; x < in.width; ++x) {
    auto pixel = in(x, y);  // The copy keeps alpha.
    const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
    const bool inside = !window_leaves(x, y, in.width, in.height, radius);
    for (int plane = 0; plane < P::count && !keep; ++plane) {
      const auto result = [&](const auto& value) {
        P::set(pixel, plane, filtered(value, P::get(in(x, y), plane), plan.method, radius));
      };
      if (inside)
        result([&](int dx, int dy) { return P::get(in(x + dx, y + dy), plane); });
      else
        result([&](int dx, int dy) { return plane_value<P>(in, x + dx, y + dy, plane, plan.border); });
    }
    out(x, y) = pixel;
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
