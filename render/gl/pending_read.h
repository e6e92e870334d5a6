#pragma once
// Reads GPU memory back without making the drawing thread wait.

#include <optional>

#include "compute/core/data.h"
#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/gl/volume_texture.h"

namespace threadscape::gl {

/// The contents of a texture, a volume or a buffer on their way to the CPU. The constructor queues the copy into a
/// persistently mapped buffer and places a fence behind it; poll() asks the fence and never waits. Commands that change
/// the source afterwards do not change what is read.
///
/// The drawing thread, which has the GL context, constructs, polls and destroys the object; the contents may be read on
/// any thread until then. Move-only; the contents stay where they are when the object is moved.
///
/// Each constructor throws EnvironmentError if there is not enough memory.
class PendingRead {
 public:
  explicit PendingRead(const Texture& texture) : PendingRead(texture, texture.shape()) {}
  /// `shape` has the size and format of the texture, and may be of another kind.
  PendingRead(const Texture& texture, const Shape& shape);
  explicit PendingRead(const VolumeTexture& volume);
  /// The buffer has no padding between rows.
  PendingRead(const Buffer& buffer, const Shape& shape);

  /// The contents once they have arrived, without padding between rows; nothing before. Can be called again.
  [[nodiscard]] std::optional<HostIn> poll();
  /// Waits for the contents. Throws EnvironmentError if the GPU takes more than ten seconds.
  [[nodiscard]] HostIn wait();

 private:
  /// Allocates the memory; `copy` queues the commands that fill it.
  template <class Copy>
  PendingRead(const Shape& shape, Copy copy);
  [[nodiscard]] std::size_t row_bytes() const { return static_cast<std::size_t>(shape_.width) * shape_.pixel_bytes(); }
  [[nodiscard]] HostIn contents() const { return {memory_.data(), shape_, row_bytes()}; }

  Shape shape_;
  Buffer memory_;
  Fence arrived_;
};

}  // namespace threadscape::gl
