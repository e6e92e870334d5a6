#pragma once

#include <cuda_runtime.h>

#include <atomic>

#include "compute/gpu/check.h"

namespace threadscape::morphology {

/// Lets a kernel use more dynamic shared memory than the 48 KiB that every device grants. It is called before every
/// launch, but calls the driver only when the limit grows: a call takes as long as a small kernel.
template <auto* kernel>
void allow_shared(std::size_t bytes) {
  constexpr std::size_t granted = 48 << 10, carve_out = 16 << 10;
  static std::atomic<std::size_t> allowed = carve_out;
  if (bytes <= allowed) return;
  const auto set = [](cudaFuncAttribute attribute, int value) {
    TS_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value));
  };
  // Otherwise the driver leaves so much memory to the cache that fewer blocks run at once than could.
  set(cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  if (bytes > granted) set(cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  allowed = bytes;
}

}  // namespace threadscape::morphology
