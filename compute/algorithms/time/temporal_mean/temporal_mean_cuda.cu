// The mean over time on the GPU: a thread sums the values of its cell over the frames. Compare with
// temporal_mean_serial.cpp.

#include "compute/algorithms/time/clip_cells.cuh"
#include "compute/algorithms/time/temporal_mean/temporal_mean.h"

namespace threadscape {

void TemporalMean::cuda(const Params& params, const DeviceRun& run) {
  clips::compute_on_device(plan(params), params.used(), run);
}

}  // namespace threadscape
