#include "compute/algorithms/edges/laplacian_of_gaussian/laplacian_of_gaussian.h"

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

separable::Plan LaplacianOfGaussian::plan(const Params& params) {
  separable::Plan plan = separable::laplacian_of_gaussian_plan(params.sigma);
  plan.output = params.output;
  plan.border = params.border;
  plan.channels = params.channels;
  return plan;
}

AlgorithmInfo describe_laplacian_of_gaussian() {
  return describe<SixteenBit<LaplacianOfGaussian>>(LaplacianOfGaussian::name);
}

}  // namespace threadscape
