// Laplacians on the GPU: of 8-bit pictures by laplacian_tiled.h, a patch of pixels per thread; of floats as a
// convolution.

#include "compute/algorithms/edges/laplacian/laplacian.h"
#include "compute/algorithms/edges/laplacian/laplacian_tiled.h"
#include "compute/engines/patches/patch_grid.cuh"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Laplacian::cuda(const Params& params, const DeviceRun& run) {
  using laplacian::LaplacianPatches;
  if (run.in.shape.element != Element::u8) return convolution::cuda(plan(params), run);
  const laplacian::OutputU16x2 output(params.output);
  with_planes<std::uint8_t>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    switch (params.kind) {
      case Neighbours::four:
        return launch_patches<P>(LaplacianPatches<Neighbours::four>{output, {}}, params.border, run);
      case Neighbours::eight:
        return launch_patches<P>(LaplacianPatches<Neighbours::eight>{output, {}}, params.border, run);
      case Neighbours::five:
        return launch_patches<P>(LaplacianPatches<Neighbours::five>{output, {}}, params.border, run);
    }
  });
}

}  // namespace threadscape
