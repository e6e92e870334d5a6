#include "compute/algorithms/time/temporal_mean/temporal_mean.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

AlgorithmInfo describe_temporal_mean() {
  return describe<TemporalMean>(TemporalMean::Params::algorithm);
}

}  // namespace threadscape
