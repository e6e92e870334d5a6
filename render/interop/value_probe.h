#pragma once

#include <array>
#include <optional>

#include "render/gl/buffer.h"

namespace threadscape::interop {

/// Reads a few bytes of a buffer without stopping the frame: the copy is queued, the bytes come a frame or two later.
class ValueProbe {
 public:
  static constexpr std::size_t max_bytes = 8;
  using Bytes = std::array<std::byte, max_bytes>;

  ValueProbe() : copy_(gl::BufferUse::download, max_bytes) {}

  /// Queues the read; one that is still under way is dropped. Returns false, and does nothing, when the bytes are not
  /// all within the buffer.
  bool request(const gl::Buffer& buffer, std::size_t first, std::size_t bytes);
  [[nodiscard]] bool pending() const { return pending_; }
  /// The bytes, once, when they have arrived.
  [[nodiscard]] std::optional<Bytes> poll();

 private:
  gl::Buffer copy_;
  gl::Fence fence_;
  bool pending_ = false;
};

}  // namespace threadscape::interop
