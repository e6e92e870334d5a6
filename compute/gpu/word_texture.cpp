#include "compute/gpu/word_texture.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "compute/gpu/check.h"

namespace threadscape::cuda {

namespace {

constexpr std::size_t max_kept = 256;  ///< More than the buffers that a benchmark uses in turns.

}  // namespace

cudaTextureObject_t word_texture(const std::uint32_t* words, std::size_t width, std::size_t height,
                                 gpu::Device& device) {
  // Textures end with the context of their device.
  static std::mutex mutex;
  static std::map<std::tuple<std::uint32_t, const std::uint32_t*, std::size_t, std::size_t>, cudaTextureObject_t> all;
  const std::lock_guard lock(mutex);
  const std::tuple key{device.context(), words, width, height};
  if (const auto found = all.find(key); found != all.end()) return found->second;
  const auto of_device = [&](const auto& kept) { return std::get<0>(kept.first) == device.context(); };
  if (static_cast<std::size_t>(std::ranges::count_if(all, of_device)) >= max_kept) {
    TS_CUDA_CHECK(cudaDeviceSynchronize());
    std::erase_if(all, [&](const auto& kept) {
      if (of_device(kept)) cudaDestroyTextureObject(kept.second);
      return of_device(kept);
    });
  }
  cudaResourceDesc resource{};
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindUnsigned};
  auto* memory = const_cast<std::uint32_t*>(words);  // NOLINT: the descriptor has no pointer to const
  if (height == 0) {
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {.devPtr = memory, .desc = format, .sizeInBytes = width * sizeof(std::uint32_t)};
  } else {
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {.devPtr = memory,
                            .desc = format,
                            .width = width,
                            .height = height,
                            .pitchInBytes = width * sizeof(std::uint32_t)};
  }
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  TS_CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  all.emplace(key, texture);
  return texture;
}

}  // namespace threadscape::cuda
