#include "compute/algorithms/time/running_background/running_background.h"

namespace threadscape {

AlgorithmInfo describe_running_background() {
  return describe<RunningBackground>(RunningBackground::Params::algorithm);
}

}  // namespace threadscape
