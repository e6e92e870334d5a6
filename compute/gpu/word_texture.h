#pragma once
// Textures over linear memory, through which kernels read words by the texture units and their addressing.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "compute/gpu/device.h"

namespace threadscape::cuda {

/// A texture of `width` x `height` 32-bit words at `words`, in memory of the device: one line for tex1Dfetch() if the
/// height is 0, otherwise rows without gaps for tex2D() with coordinates that count words. Textures are kept, because
/// kernels that read them run after the call that made them has returned: a later call with the same memory gets the
/// same texture. If very many are kept, all are destroyed once the device is idle. Throws CudaError if the device has
/// no such texture.
[[nodiscard]] cudaTextureObject_t word_texture(const std::uint32_t* words, std::size_t width, std::size_t height,
                                               gpu::Device& device);

}  // namespace threadscape::cuda
