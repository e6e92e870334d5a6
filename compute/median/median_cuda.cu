// The median on the GPU: which way is taken.

#include "compute/median/median_cuda.h"

namespace threadscape {

void Median::cuda(const Params& params, const DeviceRun& run) {
  const median::Plan plan = Median::plan(params);
  const bool bytes = run.in.shape.element == Element::u8;
  if (run.variant == 1)  // in the order of cuda_variants
    median::launch_bits(plan, run);
  else if (plan.is_median() && plan.size <= median::largest_network)
    bytes ? median::launch_byte_networks(plan, run) : median::launch_float_networks(plan, run);
  else if (bytes)
    median::launch_histograms(plan, run);
  else
    median::launch_bits(plan, run);
}

}  // namespace threadscape
