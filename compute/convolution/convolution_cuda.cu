// Convolution on the GPU: which variant is launched. The kernels: convolution_tiled.h (default), convolution_ladder.cu.

#include "compute/convolution/convolution_cuda.h"

namespace threadscape {

void Convolution::cuda(const Params& params, const DeviceRun& run) {
  const convolution::Plan plan = Convolution::plan(params);
  switch (run.variant) {  // in the order of cuda_variants
    case 1:
      return launch_rung(convolution::Rung::global, plan, run);
    case 2:
      return launch_rung(convolution::Rung::constant, plan, run);
    case 3:
      return launch_rung(convolution::Rung::shared, plan, run);
    default:
      with_planes<std::uint8_t>(run.in.shape, plan.channels,
                                [&](auto planes) { convolution::launch_tiled<decltype(planes)>(plan, run); });
  }
}

}  // namespace threadscape
