#include "compute/algorithms/smoothing/mean/mean.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

separable::Plan Mean::plan(const Params& params) {
  separable::Plan plan = separable::mean_plan(params.size);
  plan.border = params.border;
  plan.channels = params.channels;
  return plan;
}

AlgorithmInfo describe_mean() {
  return describe<WeightedAlpha<SixteenBit<Mean>>>(Mean::name);
}

}  // namespace threadscape
