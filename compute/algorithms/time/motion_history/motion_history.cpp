#include "compute/algorithms/time/motion_history/motion_history.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_motion_history() {
  return describe<MotionHistory>(MotionHistory::Params::algorithm);
}

}  // namespace threadscape
