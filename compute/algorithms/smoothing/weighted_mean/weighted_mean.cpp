#include "compute/algorithms/smoothing/weighted_mean/weighted_mean.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

separable::Plan WeightedMean::plan(const Params& params) {
  separable::Plan plan = separable::binomial_plan(params.size);
  plan.border = params.border;
  plan.channels = params.channels;
  return plan;
}

AlgorithmInfo describe_weighted_mean() {
  return describe<WeightedAlpha<SixteenBit<WeightedMean>>>(WeightedMean::name);
}

}  // namespace threadscape
