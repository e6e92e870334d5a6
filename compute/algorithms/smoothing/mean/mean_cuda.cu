// Means on the GPU: small windows of 8-bit pictures by mean_tiled.h, one patch of pixels per thread, and all others by
// the separable engine.

#include "compute/algorithms/smoothing/mean/mean.h"
#include "compute/algorithms/smoothing/mean/mean_tiled.h"
#include "compute/engines/patches/patch_grid.cuh"
#include "compute/engines/planes/planes.h"
#include "compute/engines/separable/cuda/separable_cuda.h"

namespace threadscape {

void Mean::cuda(const Params& params, const DeviceRun& run) {
  if (params.border == Border::crop)
    return with_crop(params, params.size / 2, run, [](const Params& p, const DeviceRun& r) { cuda(p, r); });
  using mean::MeanPatches;
  const int radius = params.size / 2;
  const int max_radius = run.in.shape.channels == 4 ? mean::max_radius_colour : mean::max_radius_grey;
  constexpr std::string_view patch = route_named("patch", cuda_routes);
  const bool fits = radius <= max_radius && run.in.shape.element == Element::u8;
  if (run.route == patch && !fits) throw RouteUnfit(patch);
  if (run.variant != 0 || !fits || (!run.route.empty() && run.route != patch))
    return separable::cuda(plan(params), run);
  const bool shrink = params.border == Border::shrink;
  const Border border = shrink ? Border::zero : params.border;
  with_planes<std::uint8_t>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    constexpr bool grey = sizeof(typename P::Pixel) == 1;
    if constexpr (grey) {
      if (radius == 2) return launch_patches<P>(MeanPatches<2>{}, border, run);
    }
    launch_patches<P>(MeanPatches<1>{}, border, run);
  });
  if (shrink) separable::launch_shrunk_edges(plan(params), run);
}

}  // namespace threadscape
