#pragma once

#include <cuda_runtime.h>

#include "compute/cuda/check.h"

namespace threadscape::morphology {

/// Lets a kernel use more dynamic shared memory than the 48 KiB that every device grants.
template <class Kernel>
void allow_shared(Kernel* kernel, std::size_t bytes) {
  constexpr std::size_t granted = 48 << 10, carve_out = 16 << 10;
  const auto set = [&](cudaFuncAttribute attribute, int value) {
    TS_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value));
  };
  // Else the driver leaves so much to the cache that fewer blocks than could be run at once.
  if (bytes > carve_out) set(cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  if (bytes <= granted) return;
  set(cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

}  // namespace threadscape::morphology
