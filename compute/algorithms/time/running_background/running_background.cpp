#include "compute/algorithms/time/running_background/running_background.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_running_background() {
  return describe<RunningBackground>(RunningBackground::Params::algorithm);
}

}  // namespace threadscape
