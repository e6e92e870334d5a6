#pragma once
// The launcher of the `tiled` variant for one kind of pixels. The work of a thread is in convolution_tiled.h.

#include "compute/algorithms/filters/convolution/cuda/convolution_cuda.h"
#include "compute/engines/patches/patch_grid.cuh"

namespace threadscape::convolution {

template <class P, int size>
void launch_tiled_size(const TiledPlan& plan, Border border, const DeviceRun& run) {
  switch (plan.mode) {
    case Mode::dot:
      return launch_patches<P>(ConvolutionPatches<size, Mode::dot>{plan}, border, run);
    case Mode::two_dots:
      return launch_patches<P>(ConvolutionPatches<size, Mode::two_dots>{plan}, border, run);
    default:
      return launch_patches<P>(ConvolutionPatches<size, Mode::ordered>{plan}, border, run);
  }
}

template <class P>
void launch_tiled(const Plan& plan, const DeviceRun& run) {
  const TiledPlan tiled = tiled_plan(plan);
  switch (plan.size) {
    case 3:
      return launch_tiled_size<P, 3>(tiled, plan.border, run);
    case 5:
      return launch_tiled_size<P, 5>(tiled, plan.border, run);
    case 7:
      return launch_tiled_size<P, 7>(tiled, plan.border, run);
    default:
      return launch_tiled_size<P, 9>(tiled, plan.border, run);
  }
}

}  // namespace threadscape::convolution
