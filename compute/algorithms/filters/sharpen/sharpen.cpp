#include "compute/algorithms/filters/sharpen/sharpen.h"

#include <cmath>

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

separable::Plan Sharpen::plan(const Params& params) {
  separable::Plan plan = separable::gaussian_plan(params.sigma, 0);
  plan.result = separable::Result::sharpen;
  plan.amount = static_cast<int>(std::lround(params.amount * (1 << separable::amount_bits)));
  plan.real_amount = params.amount;
  plan.border = params.border;
  plan.channels = params.channels;
  return plan;
}

AlgorithmInfo describe_sharpen() {
  return describe<SixteenBit<Sharpen>>(Sharpen::name);
}

}  // namespace threadscape
