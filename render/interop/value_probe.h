#pragma once

#include <array>
#include <optional>

#include "render/gl/buffer.h"

namespace threadscape::interop {

/// Reads up to `max_bytes` of a buffer without waiting for the GPU: the copy is queued, and the bytes are available one
/// or two frames later.
class ValueProbe {
 public:
  static constexpr std::size_t max_bytes = 8;
  using Bytes = std::array<std::byte, max_bytes>;

  ValueProbe() : copy_(gl::BufferUse::download, max_bytes) {}

  /// Queues the read and drops an earlier one that is still pending. Returns false without any effect if there are more
  /// than `max_bytes`, or if they are not all within the buffer.
  bool request(const gl::Buffer& buffer, std::size_t first, std::size_t bytes);
  [[nodiscard]] bool pending() const { return pending_; }
  /// Returns the bytes of the last request once, after they have arrived. Bytes beyond the requested ones are
  /// undefined.
  [[nodiscard]] std::optional<Bytes> poll();

 private:
  gl::Buffer copy_;
  gl::Fence fence_;
  bool pending_ = false;
};

}  // namespace threadscape::interop
