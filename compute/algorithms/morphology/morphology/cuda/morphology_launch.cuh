#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "compute/gpu/check.h"
#include "compute/gpu/device.h"

namespace threadscape::morphology {

/// Lets a kernel use more dynamic shared memory on a device than the 48 KiB that every device grants. It is called
/// before every launch, but calls the driver only when the limit grows: a call takes as long as a small kernel.
template <auto* kernel>
void allow_shared(const gpu::Device& device, std::size_t bytes) {
  constexpr std::size_t granted = 48 << 10, carve_out = 16 << 10;
  // What was allowed last on each device: its context in the upper half, the number of bytes in the lower one. Devices
  // that share a place only call the driver more often.
  static std::array<std::atomic<std::uint64_t>, 16> allowed{};
  auto& known = allowed[static_cast<std::size_t>(device.info().ordinal) % allowed.size()];
  const std::uint64_t state = known, context = std::uint64_t{device.context()} << 32;
  if (bytes <= (state >> 32 == device.context() ? state & 0xffffffffu : carve_out)) return;
  const auto set = [](cudaFuncAttribute attribute, int value) {
    TS_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value));
  };
  // Otherwise the driver leaves so much memory to the cache that fewer blocks run at once than could.
  set(cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  if (bytes > granted) set(cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  known = context | bytes;
}

}  // namespace threadscape::morphology
