#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "compute/core/scratch.h"
#include "compute/cuda/check.h"

namespace threadscape {

void* DeviceMemory::allocate(std::size_t bytes) {
  void* block = nullptr;
  TS_CUDA_CHECK(cudaMalloc(&block, bytes));  // 256-byte aligned by contract
  return block;
}

void DeviceMemory::release(void* block) {
  cudaFree(block);
}

void DeviceMemory::exhausted(std::size_t asked, std::size_t reserved) {
  throw std::logic_error("device working memory: " + std::to_string(asked) + " bytes taken, scratch_bytes() reserved " +
                         std::to_string(reserved));
}

}  // namespace threadscape
