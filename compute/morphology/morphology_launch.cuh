#pragma once

#include <cuda_runtime.h>

#include "compute/cuda/check.h"

namespace threadscape::morphology {

/// Lets a kernel use more dynamic shared memory than the 48 KiB that every device grants.
template <class Kernel>
void allow_shared(Kernel* kernel, std::size_t bytes) {
  constexpr std::size_t granted = 48 << 10;
  if (bytes <= granted) return;
  TS_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)));
}

}  // namespace threadscape::morphology
