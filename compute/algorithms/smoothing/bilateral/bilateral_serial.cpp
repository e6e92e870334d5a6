// The bilateral filter, the readable reference on one thread: the whole window of every pixel.

#include "compute/algorithms/smoothing/bilateral/bilateral.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {
namespace bilateral {
namespace {

template <class P, bool weighted>
void filter_row(const Plan& plan, const Weights& weights, ImageView<const typename P::Pixel> in,
                ImageView<typename P::Pixel> out, int y) {
  const int radius = plan.radius;
  for (int x = 0; x < in.width; ++x) {
    auto pixel = in(x, y);  // The copy keeps alpha.
    const bool inside = !window_leaves(x, y, in.width, in.height, radius);
    const bool keep = plan.border == Border::valid && !inside;
    for (int plane = 0; plane < P::count && !keep; ++plane) {
      const auto mean = [&](const auto& value, const auto& alpha) {
        P::set(pixel, plane, filtered(value, alpha, P::get(in(x, y), plane), plan, weights.space, weights.range));
      };
      const auto mean_of = [&](const auto& value) {
        if constexpr (weighted)
          mean(value, [&](int dx, int dy) { return alpha_value(in, x + dx, y + dy, plan.border); });
        else
          mean(value, NoAlpha{});
      };
      if (inside)
        mean_of([&](int dx, int dy) { return P::get(in(x + dx, y + dy), plane); });
      else
        mean_of([&](int dx, int dy) { return plane_value<P>(in, x + dx, y + dy, plane, plan.border); });
    }
    out(x, y) = pixel;
  }
}

}  // namespace
}  // namespace bilateral

void Bilateral::serial(const Params& params, const HostRun& run) {
  const bilateral::Weights all_weights = weights(params);
  with_planes<std::uint8_t, float>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    bilateral::with_alpha_or_without<Pixel>(plan(params), [&](auto weighted) {
      for_rows(run, run.in.shape.height, [&](int y) {
        bilateral::filter_row<P, weighted>(plan(params), all_weights, run.in.image<Pixel>(), run.out.image<Pixel>(), y);
      });
    });
  });
}

}  // namespace threadscape
