// The CUDA backend of reduction. Its kernels are in reduction_ladder.cuh, in the order of the lecture, and in
// reduction_shuffle.cuh, the default.

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"
#include "compute/algorithms/sequences/reduction/reduction.h"

namespace threadscape {

void Reduction::cuda(const Params& params, const DeviceRun& run) {
  with_operation(params, [&](auto op) { reduction::run_on_device(op, run); });
}

}  // namespace threadscape
