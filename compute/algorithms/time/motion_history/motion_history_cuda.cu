// The history of motion on the GPU: a thread compares its cell in each frame with that in the frame before. Compare
// with motion_history_serial.cpp.

#include "compute/algorithms/time/clip_cells.cuh"
#include "compute/algorithms/time/motion_history/motion_history.h"

namespace threadscape {

void MotionHistory::cuda(const Params& params, const DeviceRun& run) {
  clips::compute_on_device(plan(params), params.used(), run);
}

}  // namespace threadscape
