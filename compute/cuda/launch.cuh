#pragma once
// Launches of kernels that follow each other quickly: filters of a few microseconds, one after another. The next kernel
// is set up while the last blocks of the one before still run, and waits only where it begins to read and write
// ("programmatic dependent launch", from compute capability 9.0 on). A kernel that is launched so calls begin() before
// anything else; every one of its threads does, so that whoever waits for it waits for all before it as well.

#include <cuda_runtime.h>

#include "compute/cuda/check.h"
#include "compute/cuda/device.h"

namespace threadscape::cuda {

/// Whether the code that a device of this compute capability runs waits in begin(): that which was compiled for the
/// newest architecture up to the device's own.
[[nodiscard]] inline bool can_launch_early(int major, int minor) {
#ifdef __CUDA_ARCH_LIST__
  int best = 0;
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture <= major * 100 + minor * 10 && architecture > best) best = architecture;
  return best >= 900;
#else
  static_cast<void>(major + minor);
  return false;
#endif
}

/// Waits for the kernels before this one, and for what they have written.
__device__ inline void begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// kernel<<<grid, block, shared, stream>>>(arguments...), of a kernel that calls begin().
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream,
            const Arguments&... arguments) {
#if defined(__CUDACC__)
  static const bool early_allowed = can_launch_early(device_info().compute_major, device_info().compute_minor);
  if (early_allowed) {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    TS_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
    TS_CUDA_LAUNCHED();
    return;
  }
#endif
  kernel<<<grid, block, shared, stream>>>(arguments...);
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::cuda
