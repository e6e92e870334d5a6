// Instantiations of the CUDA backend for argmin.

#include "compute/algorithms/sequences/reduction/cuda/reduction_run.cuh"

namespace threadscape::reduction {

template void run_on_device(const Argmin<std::int32_t>&, const DeviceRun&);
template void run_on_device(const Argmin<std::int64_t>&, const DeviceRun&);
template void run_on_device(const Argmin<float>&, const DeviceRun&);
template void run_on_device(const Argmin<double>&, const DeviceRun&);

}  // namespace threadscape::reduction
