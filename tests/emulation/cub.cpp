// Replacements for the functions that call CUB, which only nvcc can compile. The sweep does not run the variant `cub`.
#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"
#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "tests/emulation/device.h"

namespace threadscape {

namespace reduction {
template <class Op>
void run_cub(const Op&, const DeviceRun&, typename Op::Partial*) {
  emu::unsupported("CUB");
}
template void run_cub(const Sum<std::int32_t>&, const DeviceRun&, std::int64_t*);
template void run_cub(const Sum<std::int64_t>&, const DeviceRun&, std::int64_t*);
template void run_cub(const Sum<float>&, const DeviceRun&, float*);
template void run_cub(const Sum<double>&, const DeviceRun&, double*);
template void run_cub(const Extreme<std::int32_t>&, const DeviceRun&, std::uint32_t*);
template void run_cub(const Extreme<std::int64_t>&, const DeviceRun&, std::uint64_t*);
template void run_cub(const Extreme<float>&, const DeviceRun&, std::uint32_t*);
template void run_cub(const Extreme<double>&, const DeviceRun&, std::uint64_t*);
template void run_cub(const Argmin<std::int32_t>&, const DeviceRun&, KeyAndPlace<std::uint32_t>*);
template void run_cub(const Argmin<std::int64_t>&, const DeviceRun&, KeyAndPlace<std::uint64_t>*);
template void run_cub(const Argmin<float>&, const DeviceRun&, KeyAndPlace<std::uint32_t>*);
template void run_cub(const Argmin<double>&, const DeviceRun&, KeyAndPlace<std::uint64_t>*);
}  // namespace reduction

namespace sorting {
void sort_cub(const Sorting::Params&, const DeviceRun&) {
  emu::unsupported("CUB");
}
}  // namespace sorting

}  // namespace threadscape
