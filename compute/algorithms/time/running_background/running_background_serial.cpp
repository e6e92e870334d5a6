// The running background, the readable reference: the frames of a pixel one after another, from the oldest on.

#include "compute/algorithms/time/clip_cells.h"
#include "compute/algorithms/time/running_background/running_background.h"

namespace threadscape {

void RunningBackground::serial(const Params& params, const HostRun& run) {
  clips::compute_serial(plan(params), params.used(), run);
}

}  // namespace threadscape
