#pragma once
// Launches of short kernels, of a few microseconds each, one after another: programmatic dependent launch, from compute
// capability 9.0 on. The next kernel is set up while the last blocks of the kernel before it still run, and waits only
// where it begins to read and write. A kernel that is launched by launch() calls begin() in every thread before it
// reads or writes global memory, so that a kernel that waits for it waits for all kernels before it as well.

#include <cuda_runtime.h>

#include "compute/gpu/check.h"
#include "compute/gpu/device.h"

namespace threadscape::cuda {

/// Lets the next kernel be set up, and waits until the kernels before this one are complete and their writes visible.
__device__ inline void begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Launches kernel<<<grid, block, shared, stream>>>(arguments...), where the kernel calls begin(). Throws as
/// TS_CUDA_CHECK.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared, CudaStream stream,
            const Arguments&... arguments) {
#if defined(__CUDACC__)
  if (stream.device->info().launches_early) {
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
