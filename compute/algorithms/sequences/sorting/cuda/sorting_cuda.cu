// The choice of the kernels of a run: sorting_radix.cu, sorting_bitonic.cu or sorting_cub.cu.

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"

namespace threadscape {

void Sorting::cuda(const Params& params, const DeviceRun& run) {
  const std::int64_t count = run.in.shape.width;
  const auto method = static_cast<sorting::Method>(run.variant);
  if (params.stages > 0)
    sorting::sort_bitonic(params, run, std::min(params.stages, sorting::stages_for(count)),
                          method == sorting::Method::bitonic_elements ? method : sorting::Method::bitonic_global);
  else if (method == sorting::Method::radix || method == sorting::Method::radix_ballots)
    sorting::sort_radix(params, run, method == sorting::Method::radix_ballots);
  else if (method == sorting::Method::cub)
    sorting::sort_cub(params, run);
  else
    sorting::sort_bitonic(params, run, sorting::stages_for(count), method);
}

}  // namespace threadscape
