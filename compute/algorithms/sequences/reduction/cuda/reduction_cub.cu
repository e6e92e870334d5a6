// Reduction by CUB, for comparison. For minimum, maximum and argmin its kernels are compiled once for integers and
// floats of one size.

#include <cub/device/device_reduce.cuh>

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::reduction {

namespace {

/// The partial results of the values from place `at` on, as the random access iterator from which CUB reads.
template <class Op>
class LoadedValues {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename Op::Partial;
  using difference_type = std::int64_t;
  using pointer = const value_type*;
  using reference = value_type;

  __host__ __device__ LoadedValues(const Op& op, const typename Op::Value* values, std::int64_t at)
      : op_(op), values_(values), at_(at) {}
  __host__ __device__ value_type operator*() const { return (*this)[0]; }
  __host__ __device__ value_type operator[](std::int64_t i) const {
    return op_.load(values_[at_ + i], static_cast<std::uint32_t>(at_ + i));
  }
  __host__ __device__ LoadedValues operator+(std::int64_t i) const { return {op_, values_, at_ + i}; }

 private:
  Op op_;
  const typename Op::Value* values_;
  std::int64_t at_;
};

template <class Op>
struct Combine {
  __host__ __device__ typename Op::Partial operator()(typename Op::Partial a, typename Op::Partial b) const {
    return Op::combine(a, b);
  }
};

/// Writes the partial result of the input's values to `result`.
template <class Op>
void reduce_by_cub(const Op& op, const DeviceRun& run, typename Op::Partial* result) {
  const LoadedValues<Op> values(op, reinterpret_cast<const typename Op::Value*>(run.in.data), 0);
  std::size_t bytes = 0;
  const auto call = [&](void* memory) {
    TS_CUDA_CHECK(cub::DeviceReduce::Reduce(memory, bytes, values, result, run.in.shape.width, Combine<Op>{},
                                            Op::identity(), run.stream));
  };
  call(nullptr);  // sets `bytes`, the size of the temporary storage
  call(run.scratch->take<std::byte>(bytes).data());
}

/// sort_key() of numbers that are given as bits.
template <class Bits>
struct KeyOfBits {
  bool floats;  ///< The numbers are floats or doubles, and otherwise signed integers.

  __host__ __device__ Bits operator()(Bits bits) const {
    return floats ? sort_key_of_float_bits(bits) : bits ^ sign_bit<Bits>;
  }
};

/// Extreme of numbers that are given as bits.
template <class Bits>
struct ExtremeOfBits : Extreme<Bits> {
  KeyOfBits<Bits> key;

  __host__ __device__ Bits load(Bits bits, std::uint32_t) const { return key(bits) ^ this->flip; }
};
template <class Number>
ExtremeOfBits<SortKey<Number>> of_bits(const Extreme<Number>& op) {
  return {{op.flip}, {std::is_floating_point_v<Number>}};
}

/// Argmin of numbers that are given as bits.
template <class Bits>
struct ArgminOfBits : Argmin<Bits> {
  KeyOfBits<Bits> key;

  __host__ __device__ KeyAndPlace<Bits> load(Bits bits, std::uint32_t place) const { return {key(bits), place}; }
};
template <class Number>
ArgminOfBits<SortKey<Number>> of_bits(const Argmin<Number>&) {
  return {{}, {std::is_floating_point_v<Number>}};
}

template <class Number>
Sum<Number> of_bits(const Sum<Number>& op) {
  return op;
}

}  // namespace

template <class Op>
void run_cub(const Op& op, const DeviceRun& run, typename Op::Partial* result) {
  reduce_by_cub(of_bits(op), run, result);
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
