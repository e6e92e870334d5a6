// The difference of two frames, the readable reference: pixel by pixel on one thread.

#include "compute/algorithms/time/clip_cells.h"
#include "compute/algorithms/time/frame_difference/frame_difference.h"

namespace threadscape {

void FrameDifference::serial(const Params& params, const HostRun& run) {
  clips::compute_serial(plan(params), params.used(), run);
}

}  // namespace threadscape
