#pragma once

#include "compute/core/data.h"
#include "compute/core/kind_info.h"
#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/gl/volume_texture.h"

namespace threadscape::gl {

/// GPU memory for data of any kind, as drawing wants it: a texture for pictures and heightfields, a three-dimensional
/// one for volumes of numbers that textures hold, else a buffer whose rows are not padded. Move-only.
class Resource {
 public:
  Resource() = default;
  /// Contents start undefined. Throws UsageError for pictures that no texture format fits, EnvironmentError when GL
  /// cannot have it.
  explicit Resource(const Shape& shape);

  [[nodiscard]] bool empty() const { return texture_.empty() && volume_.empty() && buffer_.id() == 0; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool fits(const Shape& shape) const { return !empty() && shape == shape_; }
  /// Whether data of this kind are held as a texture. This function and VolumeTexture::can_hold() decide how each kind
  /// of data is held.
  [[nodiscard]] static bool is_texture(Kind kind) { return info_of(kind).dimensions == 2; }
  // Null when it is one of the others.
  [[nodiscard]] const Texture* texture() const { return texture_.empty() ? nullptr : &texture_; }
  [[nodiscard]] Texture* texture() { return texture_.empty() ? nullptr : &texture_; }
  [[nodiscard]] const VolumeTexture* volume() const { return volume_.empty() ? nullptr : &volume_; }
  [[nodiscard]] VolumeTexture* volume() { return volume_.empty() ? nullptr : &volume_; }
  [[nodiscard]] const Buffer* buffer() const { return buffer_.id() == 0 ? nullptr : &buffer_; }

  /// Copies from host memory at once; for inputs, which are set once. Throws UsageError when the shape does not fit.
  void write(HostIn data);
  /// Reads everything back; waits for the GPU. For files and tests.
  [[nodiscard]] HostArray read() const;

 private:
  Shape shape_;
  Texture texture_;
  VolumeTexture volume_;
  Buffer buffer_;
};

}  // namespace threadscape::gl
