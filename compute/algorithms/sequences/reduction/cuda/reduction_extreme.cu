// Instantiations of the CUDA backend for minimum and maximum.

#include "compute/algorithms/sequences/reduction/cuda/reduction_run.cuh"

namespace threadscape::reduction {

template void run_on_device(const Extreme<std::int32_t>&, const DeviceRun&);
template void run_on_device(const Extreme<std::int64_t>&, const DeviceRun&);
template void run_on_device(const Extreme<float>&, const DeviceRun&);
template void run_on_device(const Extreme<double>&, const DeviceRun&);

}  // namespace threadscape::reduction
