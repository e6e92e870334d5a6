// The kernels: reduction_ladder.cuh in the order of the lecture, reduction_shuffle.cuh the fast one.

#include "compute/reduction/reduction.h"
#include "compute/reduction/reduction_cuda.h"

namespace threadscape {

void Reduction::cuda(const Params& params, const DeviceRun& run) {
  with_operation(params, [&](auto op) { reduction::run_on_device(op, run); });
}

}  // namespace threadscape
