#include "compute/algorithms/time/temporal_median/temporal_median.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_temporal_median() {
  return describe<TemporalMedian>(TemporalMedian::Params::algorithm);
}

}  // namespace threadscape
