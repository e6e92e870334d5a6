#include "compute/warp/kept_launch.h"

#include <algorithm>
#include <cstring>

namespace threadscape::warp {

KeptLaunch::KeptLaunch(const LaunchRequest& request)
    : module_(request.module),
      kernel_(request.kernel),
      grid_(request.grid),
      block_(request.block),
      dynamic_shared_bytes_(request.dynamic_shared_bytes),
      arguments_(request.arguments) {
  for (const Allocation& from : request.memory) {
    Memory& kept = memory_.emplace_back();
    kept.place = from;
    kept.place.written = nullptr;
    kept.bytes.assign(from.memory, from.memory + from.bytes);
  }
  if (request.textures != nullptr) textures_ = *request.textures;
}

std::uint64_t KeptLaunch::bytes_of(const LaunchRequest& request) {
  std::uint64_t bytes = 0;
  for (const Allocation& memory : request.memory)
    bytes += memory.bytes;
  return bytes;
}

KeptLaunch::Again::Again(const KeptLaunch& kept) : textures_(kept.textures_) {
  for (const Memory& memory : kept.memory_) {
    std::vector<std::byte>& bytes = bytes_.emplace_back(memory.bytes);
    Allocation& place = memory_.emplace_back(memory.place);
    place.memory = bytes.data();
    // The words of a texture lie in memory of the launch.
    for (auto& [handle, texture] : textures_) {
      const std::byte* const words = kept.textures_.at(handle).words;
      if (words >= memory.place.memory && words < memory.place.memory + memory.place.bytes)
        texture.words = bytes.data() + (words - memory.place.memory);
    }
  }
  request_.module = kept.module_;
  request_.kernel = kept.kernel_;
  request_.grid = kept.grid_;
  request_.block = kept.block_;
  request_.dynamic_shared_bytes = kept.dynamic_shared_bytes_;
  request_.arguments = kept.arguments_;
  request_.memory = memory_;
  request_.textures = &textures_;
}

}  // namespace threadscape::warp
