// Reduction by CUB, for comparison.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::reduction {

namespace {

template <class Op>
struct Load {
  Op op;
  __host__ __device__ typename Op::Partial operator()(typename Op::Value value) const { return op.load(value, 0); }
};
template <class Op>
struct LoadAt {
  Op op;
  const typename Op::Value* values;
  __host__ __device__ typename Op::Partial operator()(std::uint32_t place) const {
    return op.load(values[place], place);
  }
};
template <class Op>
struct Combine {
  __host__ __device__ typename Op::Partial operator()(typename Op::Partial a, typename Op::Partial b) const {
    return Op::combine(a, b);
  }
};

template <class Op, class Iterator>
void reduce(Iterator values, std::int64_t count, const DeviceRun& run, typename Op::Partial* result) {
  std::size_t bytes = 0;
  const auto call = [&](void* memory) {
    TS_CUDA_CHECK(
        cub::DeviceReduce::Reduce(memory, bytes, values, result, count, Combine<Op>{}, Op::identity(), run.stream));
  };
  call(nullptr);  // sets `bytes`, the size of the temporary storage
  call(run.scratch->take<std::byte>(bytes).data());
}

}  // namespace

template <class Op>
void run_cub(const Op& op, const DeviceRun& run, typename Op::Partial* result) {
  const auto values = run.in.sequence<typename Op::Value>();
  if constexpr (requires { result->place; })
    reduce<Op>(
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), LoadAt<Op>{op, values.data}),
        values.size, run, result);
  else
    reduce<Op>(thrust::make_transform_iterator(values.data, Load<Op>{op}), values.size, run, result);
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

}  // namespace threadscape::reduction
