// The history of motion, the readable reference: pixel by pixel, from the oldest pair of frames to the newest.

#include "compute/algorithms/time/clip_cells.h"
#include "compute/algorithms/time/motion_history/motion_history.h"

namespace threadscape {

void MotionHistory::serial(const Params& params, const HostRun& run) {
  clips::compute_serial(plan(params), params.used(), run);
}

}  // namespace threadscape
