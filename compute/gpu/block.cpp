#include "compute/gpu/block.h"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "compute/gpu/check.h"

namespace threadscape::cuda {

namespace {

std::size_t limit() {
  const char* const wish = std::getenv("TS_CUDA_MEMORY");
  return wish == nullptr ? std::numeric_limits<std::size_t>::max() : std::strtoull(wish, nullptr, 10);
}

/// The sizes of all blocks. Calls of the CUDA runtime, which may wait for the device, are made without the mutex.
class Blocks {
 public:
  /// Counts a block before it exists. Throws CudaError if there would be more bytes than the limit allows.
  void reserve(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (const std::size_t most = limit(); sum_ > most || bytes > most - sum_)
      throw CudaError(cudaErrorMemoryAllocation, "cudaMalloc, limited by TS_CUDA_MEMORY", __FILE__, __LINE__);
    sum_ += bytes;
  }
  void forget(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    sum_ -= bytes;
  }
  void name(void* block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_.emplace(block, bytes);
  }
  void forget(void* block) {
    const std::lock_guard lock(mutex_);
    const auto known = bytes_.find(block);
    if (known == bytes_.end()) return;
    sum_ -= known->second;
    bytes_.erase(known);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<void*, std::size_t> bytes_;
  std::size_t sum_ = 0;
};

/// It is never destroyed, because static objects give blocks back at the end of the program.
Blocks& blocks() {
  static auto* const all = new Blocks;
  return *all;
}

}  // namespace

void* allocate_block(std::size_t bytes) {
  blocks().reserve(bytes);
  void* block = nullptr;
  try {
    TS_CUDA_CHECK(cudaMalloc(&block, bytes));
    blocks().name(block, bytes);
  } catch (...) {
    blocks().forget(bytes);
    cudaFree(block);
    throw;
  }
  return block;
}

void free_block(void* block) noexcept {
  if (block == nullptr) return;
  blocks().forget(block);  // Before it is freed, since another thread may get the same address then.
  cudaFree(block);
}

}  // namespace threadscape::cuda
