// The mean over time, the readable reference: the values of a pixel are summed from the oldest frame to the newest.

#include "compute/algorithms/time/clip_cells.h"
#include "compute/algorithms/time/temporal_mean/temporal_mean.h"

namespace threadscape {

void TemporalMean::serial(const Params& params, const HostRun& run) {
  clips::compute_serial(plan(params), params.used(), run);
}

}  // namespace threadscape
