#pragma once
// A launch that can be executed again after its memory has changed.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compute/warp/machine.h"

namespace threadscape::warp {

/// A launch with copies of the memory that its kernel reaches, as it was before. The module has to stay.
class KeptLaunch {
 public:
  explicit KeptLaunch(const LaunchRequest& request);
  /// The bytes that the copies take.
  [[nodiscard]] static std::uint64_t bytes_of(const LaunchRequest& request);

  [[nodiscard]] const Module& module() const { return *module_; }
  [[nodiscard]] const std::string& kernel() const { return kernel_; }
  [[nodiscard]] Extent grid() const { return grid_; }
  [[nodiscard]] Extent block() const { return block_; }

  /// The launch on memory of its own, which is as it was before the kernel. Addresses are those of the launch.
  class Again {
   public:
    explicit Again(const KeptLaunch& kept);
    Again(const Again&) = delete;
    Again& operator=(const Again&) = delete;
    [[nodiscard]] LaunchRequest& request() { return request_; }

   private:
    std::vector<std::vector<std::byte>> bytes_;
    std::vector<Allocation> memory_;
    std::map<std::uint64_t, Texture> textures_;
    LaunchRequest request_;
  };

 private:
  struct Memory {
    Allocation place;  ///< Its bytes are those of the launch, which may be gone.
    std::vector<std::byte> bytes;
  };
  const Module* module_;
  std::string kernel_;
  Extent grid_, block_;
  std::uint64_t dynamic_shared_bytes_;
  std::vector<std::byte> arguments_;
  std::vector<Memory> memory_;
  std::map<std::uint64_t, Texture> textures_;
};

}  // namespace threadscape::warp
