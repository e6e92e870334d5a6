// Instantiations of the CUDA backend for sums.

#include "compute/algorithms/sequences/reduction/cuda/reduction_run.cuh"

namespace threadscape::reduction {

template void run_on_device(const Sum<std::int32_t>&, const DeviceRun&);
template void run_on_device(const Sum<std::int64_t>&, const DeviceRun&);
template void run_on_device(const Sum<float>&, const DeviceRun&);
template void run_on_device(const Sum<double>&, const DeviceRun&);

}  // namespace threadscape::reduction
