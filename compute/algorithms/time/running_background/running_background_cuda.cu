// The running background on the GPU: a thread follows its cell through the frames. Compare with
// running_background_serial.cpp.

#include "compute/algorithms/time/clip_cells.cuh"
#include "compute/algorithms/time/running_background/running_background.h"

namespace threadscape {

void RunningBackground::cuda(const Params& params, const DeviceRun& run) {
  clips::compute_on_device(plan(params), params.used(), run);
}

}  // namespace threadscape
