#include "compute/algorithms/time/frame_difference/frame_difference.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_frame_difference() {
  return describe<FrameDifference>(FrameDifference::Params::algorithm);
}

}  // namespace threadscape
