#include "compute/algorithms/time/temporal_median/temporal_median.h"

namespace threadscape {

AlgorithmInfo describe_temporal_median() {
  return describe<TemporalMedian>(TemporalMedian::Params::algorithm);
}

}  // namespace threadscape
