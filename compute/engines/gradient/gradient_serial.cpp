// Gradient filters, the readable reference: the responses of the masks at every pixel. One thread, no tricks.

#include "compute/engines/gradient/gradient.h"
#include "compute/engines/planes/planes.h"
#include "compute/engines/planes/require_planes.h"

namespace threadscape::gradient {
namespace {

template <class P>
void find_edges(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y0,
                int y1) {
  using Value = typename P::Value;
  using Sum = std::conditional_t<std::is_same_v<Value, float>, float, int>;
  for (int y = y0; y < y1; ++y) {
    for (int x = 0; x < in.width; ++x) {
      auto pixel = in(x, y);  // The copy keeps alpha.
      const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
      for (int plane = 0; plane < P::count && !keep; ++plane) {
        const auto responses = compass_responses<Sum>(plan, [&](int dx, int dy) {
          return static_cast<Sum>(plane_value<P>(in, x + dx, y + dy, plane, plan.border));
        });
        P::set(pixel, plane, edge_of<Value>(plan, responses));
      }
      out(x, y) = pixel;
    }
  }
}

}  // namespace

Shape output_shape(std::string_view algorithm, const Shape& input) {
  require_planes_of<std::uint8_t, float>(algorithm, "8-bit and float images, grey or RGBA", input);
  return input;
}

void find_edges_of_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    find_edges<P>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y0, y1);
  });
}

void serial(const Plan& plan, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    find_edges_of_rows(plan, run, y, y + 1);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

}  // namespace threadscape::gradient
