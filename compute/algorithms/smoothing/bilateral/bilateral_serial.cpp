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
  const int radius = plan.radius, size = 2 * radius + 1;
  typename P::Value window[max_window * max_window];
  const auto at = [&](int dx, int dy) { return (radius + dy) * size + radius + dx; };
  for (int x = 0; x < in.width; ++x) {
    auto pixel = in(x, y);  // The copy keeps alpha.
    const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
    const bool inside = !window_leaves(x, y, in.width, in.height, radius);
    for (int plane = 0; plane < P::count && !keep; ++plane) {
      for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
          const int from_x = x - radius + column, from_y = y - radius + row;
          window[row * size + column] =
              inside ? P::get(in(from_x, from_y), plane) : plane_value<P>(in, from_x, from_y, plane, plan.border);
        }
      const auto mean = [&](const auto& alpha) {
        P::set(pixel, plane,
               filtered([&](int dx, int dy) { return window[at(dx, dy)]; }, alpha, P::get(in(x, y), plane), plan,
                        weights.space, weights.range));
      };
      if constexpr (weighted)
        mean([&](int dx, int dy) { return alpha_value(in, x + dx, y + dy, plan.border); });
      else
        mean(NoAlpha{});
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
