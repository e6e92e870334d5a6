#include "compute/algorithms/time/motion_history/motion_history.h"

namespace threadscape {

AlgorithmInfo describe_motion_history() {
  return describe<MotionHistory>(MotionHistory::Params::algorithm);
}

}  // namespace threadscape
