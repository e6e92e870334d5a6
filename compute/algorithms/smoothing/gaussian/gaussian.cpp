#include "compute/algorithms/smoothing/gaussian/gaussian.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

separable::Plan Gaussian::plan(const Params& params) {
  separable::Plan plan = separable::gaussian_plan(params.sigma, params.radius);
  plan.border = params.border;
  plan.channels = params.channels;
  return plan;
}

AlgorithmInfo describe_gaussian() {
  return describe<WeightedAlpha<SixteenBit<Gaussian>>>(Gaussian::name);
}

}  // namespace threadscape
