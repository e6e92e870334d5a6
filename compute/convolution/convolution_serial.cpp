// Convolution, the readable reference: for every pixel the sum over its window. One thread, no tricks.

#include "compute/convolution/convolution.h"
#include "compute/neighbourhood/planes.h"

namespace threadscape::convolution {
namespace {

template <class P>
void convolve(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y0,
              int y1) {
  for (int y = y0; y < y1; ++y) {
    for (int x = 0; x < in.width; ++x) {
      auto pixel = in(x, y);  // keeps alpha
      const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, plan.radius);
      for (int plane = 0; plane < P::count && !keep; ++plane) {
        float sum = 0.0f;
        for (int ky = 0; ky < plan.size; ++ky)
          for (int kx = 0; kx < plan.size; ++kx)
            sum +=
                plan.taps[ky * plan.size + kx] *
                static_cast<float>(plane_value<P>(in, x + kx - plan.radius, y + ky - plan.radius, plane, plan.border));
        P::set(pixel, plane, finish_pixel<typename P::Value>(sum, plan.finish));
      }
      out(x, y) = pixel;
    }
  }
}

}  // namespace

void convolve_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    convolve<P>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y0, y1);
  });
}

void serial(const Plan& plan, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    convolve_rows(plan, run, y, y + 1);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

}  // namespace threadscape::convolution
