// Sobel, the readable reference: both gradients of every pixel. One thread, no tricks.

#include "compute/neighbourhood/planes.h"
#include "compute/sobel/sobel.h"

namespace threadscape {
namespace sobel {
namespace {

template <class P>
void find_edges(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y0,
                int y1) {
  for (int y = y0; y < y1; ++y) {
    for (int x = 0; x < in.width; ++x) {
      auto pixel = in(x, y);  // keeps alpha
      const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
      for (int plane = 0; plane < P::count && !keep; ++plane) {
        const auto g = gradient(
            [&](int dx, int dy) { return static_cast<int>(plane_value<P>(in, x + dx, y + dy, plane, plan.border)); });
        P::set(pixel, plane, strength(g, plan.norm));
      }
      out(x, y) = pixel;
    }
  }
}

}  // namespace

void find_edges_of_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    find_edges<P>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y0, y1);
  });
}

}  // namespace sobel

void Sobel::serial(const Params& params, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    sobel::find_edges_of_rows(plan(params), run, y, y + 1);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

}  // namespace threadscape
