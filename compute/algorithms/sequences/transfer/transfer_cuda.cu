// Transfers between host and device. The executor gives the run its input or its result in host memory of the kind that
// the parameters ask for (transfer_traffic.cpp), so that the run consists of the transfer alone.
//
//   pageable   the driver copies through page-locked memory of its own, a part at a time, and the call waits for that
//   pinned     one copy engine moves the data over the bus by direct memory access
//   mapped     the threads of a kernel read or write the host memory over the bus, without any copy

#include "compute/algorithms/sequences/transfer/transfer.h"
#include "compute/gpu/check.h"

namespace threadscape {

namespace {

constexpr int block_threads = 256;

/// Copies 16 bytes per thread, as wide as loads and stores are, and the bytes behind the last 16 by single threads.
__global__ void __launch_bounds__(block_threads) copy_mapped(const std::byte* from, std::byte* to, std::size_t bytes) {
  const std::size_t i = std::size_t{blockIdx.x} * block_threads + threadIdx.x, whole = bytes / sizeof(uint4);
  if (i < whole)
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  else if (i - whole < bytes % sizeof(uint4))
    to[whole * sizeof(uint4) + (i - whole)] = from[whole * sizeof(uint4) + (i - whole)];
}

}  // namespace

void Transfer::cuda(const Params& params, const DeviceRun& run) {
  const std::size_t bytes = run.in.shape.bytes();
  const std::byte* from = run.in.data;
  std::byte* to = run.out.linear.data;
  if (params.memory == Memory::mapped) {
    const std::size_t threads = bytes / sizeof(uint4) + bytes % sizeof(uint4);
    copy_mapped<<<static_cast<unsigned>((threads + block_threads - 1) / block_threads), block_threads, 0, run.stream>>>(
        from, to, bytes);
    TS_CUDA_LAUNCHED();
    return;
  }
  const auto copy = [&](std::byte* target, const std::byte* source, cudaMemcpyKind kind) {
    TS_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, kind, run.stream));
  };
  switch (params.direction) {
    case Direction::up:
      return copy(to, from, cudaMemcpyHostToDevice);
    case Direction::down:
      return copy(to, from, cudaMemcpyDeviceToHost);
    case Direction::both: {
      std::byte* between = run.scratch->take<std::byte>(bytes).data();
      copy(between, from, cudaMemcpyHostToDevice);
      copy(to, between, cudaMemcpyDeviceToHost);
      return;
    }
  }
}

}  // namespace threadscape
