// The difference of two frames on the GPU. Compare with frame_difference_serial.cpp.

#include "compute/algorithms/time/clip_cells.cuh"
#include "compute/algorithms/time/frame_difference/frame_difference.h"

namespace threadscape {

void FrameDifference::cuda(const Params& params, const DeviceRun& run) {
  clips::compute_on_device(plan(params), params.used(), run);
}

}  // namespace threadscape
