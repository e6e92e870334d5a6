#include "compute/algorithms/time/motion_history/motion_history.h"

namespace threadscape {

Shape MotionHistory::output_shape(const Params&, const Shape& input) {
  return clips::picture_of_clip("motion_history", input);
}

std::size_t MotionHistory::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_motion_history() {
  return describe<MotionHistory>("motion_history");
}

}  // namespace threadscape
