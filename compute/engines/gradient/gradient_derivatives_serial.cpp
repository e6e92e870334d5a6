// Derivatives by larger masks and angles, the readable reference: both sums at every pixel. One thread, no tricks. Only
// windows that reach out of the picture ask for the border.

#include "compute/core/rows.h"
#include "compute/engines/gradient/gradient_derivatives.h"

#include <algorithm>

namespace threadscape::gradient {

DerivativePlan derivative_plan(int size, int side, int centre, const Params& params) {
  DerivativePlan plan;
  plan.size = size;
  const auto set = [&](std::initializer_list<int> slope, std::initializer_list<int> smooth, int shift) {
    std::ranges::copy(slope, plan.slope);
    std::ranges::copy(smooth, plan.smooth);
    plan.shift = shift;
  };
  if (size == 3) set({-1, 0, 1}, {side, centre, side}, 0);
  if (size == 5) set({-1, -2, 0, 2, 1}, {1, 4, 6, 4, 1}, 4);
  if (size == 7) set({-1, -4, -5, 0, 5, 4, 1}, {1, 6, 15, 20, 15, 6, 1}, 8);
  plan.norm = params.norm;
  plan.output = params.output;
  plan.border = params.border;
  plan.channels = params.channels;
  return plan;
}

void serial(const DerivativePlan& plan, const HostRun& run) {
  with_derivatives(plan, run.in.shape, [&](auto planes, auto output) {
    using P = decltype(planes);
    using Out = decltype(output);
    const auto in = run.in.image<typename P::Pixel>();
    const auto out = run.out.image<typename Out::Pixel>();
    using Sum = DerivativeSum<typename P::Value>;
    const int radius = plan.radius();
    for_rows(run, in.height, [&](int y) {
      for (int x = 0; x < in.width; ++x) {
        const bool inside = !window_leaves(x, y, in.width, in.height, radius);
        auto pixel = Out::initial(in(x, y));
        for (int plane = 0; plane < P::count && (inside || plan.border != Border::valid); ++plane) {
          const int left = x - radius, top = y - radius;
          const auto derivatives =
              inside ? derivatives_of<Sum>(plan, [&](int kx, int ky) { return P::get(in(left + kx, top + ky), plane); })
                     : derivatives_of<Sum>(plan, [&](int kx, int ky) {
                         return plane_value<P>(in, left + kx, top + ky, plane, plan.border);
                       });
          Out::Planes::set(pixel, plane, Out::value(plan, derivatives));
        }
        out(x, y) = pixel;
      }
    });
  });
}

}  // namespace threadscape::gradient
