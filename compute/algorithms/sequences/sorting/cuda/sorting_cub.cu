// Sorting by CUB's radix sort, for comparison. Integers are sorted directly; floats are encoded first and decoded at
// the end, since CUB orders NaN and -0 differently.

#include <cub/device/device_radix_sort.cuh>

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::sorting {

namespace {

constexpr int block_threads = 256;

__global__ void encode_keys(const std::uint32_t* bits, std::int64_t count, KeyOrder order, std::uint32_t* keys) {
  const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  if (i < count) keys[i] = encode(bits[i], order);
}
__global__ void decode_keys(std::uint32_t* keys, std::int64_t count, KeyOrder order) {
  const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  if (i < count) keys[i] = decode(keys[i], order);
}
__global__ void number_places(std::uint32_t* places, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  if (i < count) places[i] = static_cast<std::uint32_t>(i);
}

/// Calls call(nullptr, bytes), which sets the size of the temporary storage, and then call(storage, bytes).
template <class Call>
void with_temp_storage(const DeviceRun& run, const Call& call) {
  std::size_t bytes = 0;
  TS_CUDA_CHECK(call(nullptr, bytes));
  TS_CUDA_CHECK(call(run.scratch->take<std::byte>(bytes).data(), bytes));
}

template <class Number>
void sort_numbers(const Sorting::Params& params, const DeviceRun& run, const std::uint32_t* bits) {
  const std::int64_t count = run.in.shape.width;
  const auto* keys = reinterpret_cast<const Number*>(bits);
  auto* out = reinterpret_cast<Number*>(run.out.linear.data);
  if (!params.pairs)
    return with_temp_storage(run, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, out, count, 0, 32, run.stream);
    });
  auto* places = run.scratch->take<std::uint32_t>(static_cast<std::size_t>(count)).data();
  number_places<<<static_cast<unsigned>((count + block_threads - 1) / block_threads), block_threads, 0, run.stream>>>(
      places, count);
  TS_CUDA_LAUNCHED();
  auto* out_places = reinterpret_cast<std::uint32_t*>(run.out.linear.data) + count;
  with_temp_storage(run, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, out, places, out_places, count, 0, 32, run.stream);
  });
}

}  // namespace

void sort_cub(const Sorting::Params& params, const DeviceRun& run) {
  const std::int64_t count = run.in.shape.width;
  const auto* bits = reinterpret_cast<const std::uint32_t*>(run.in.data);
  if (params.type == KeyOrder::int32) return sort_numbers<std::int32_t>(params, run, bits);
  if (params.type == KeyOrder::uint32) return sort_numbers<std::uint32_t>(params, run, bits);
  const auto blocks = static_cast<unsigned>((count + block_threads - 1) / block_threads);
  auto* keys = run.scratch->take<std::uint32_t>(static_cast<std::size_t>(count)).data();
  encode_keys<<<blocks, block_threads, 0, run.stream>>>(bits, count, params.type, keys);
  TS_CUDA_LAUNCHED();
  sort_numbers<std::uint32_t>(params, run, keys);
  decode_keys<<<blocks, block_threads, 0, run.stream>>>(reinterpret_cast<std::uint32_t*>(run.out.linear.data), count,
                                                        params.type);
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::sorting
