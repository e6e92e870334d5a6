#pragma once
// GPU memory for data of any kind.

#include "compute/core/data.h"
#include "compute/core/kind_info.h"
#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/gl/volume_texture.h"

namespace threadscape::gl {

/// GPU memory for data of any kind in the form that drawing needs: a texture for pictures and heightfields, a
/// three-dimensional texture for volumes of numbers that textures can hold, and a buffer without padding between rows
/// for everything else. Move-only.
class Resource {
 public:
  Resource() = default;
  /// The contents are undefined. Throws UsageError for pictures without a texture format, and EnvironmentError if GL
  /// cannot create the resource.
  explicit Resource(const Shape& shape);

  [[nodiscard]] bool empty() const { return texture_.empty() && volume_.empty() && buffer_.id() == 0; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool fits(const Shape& shape) const { return !empty() && shape == shape_; }
  /// Whether data of this kind are held as a texture. This function and VolumeTexture::can_hold() decide how each kind
  /// of data is held.
  [[nodiscard]] static bool is_texture(Kind kind) { return info_of(kind).dimensions == 2; }
  // Each of the following returns null if the resource is of another form.
  [[nodiscard]] const Texture* texture() const { return texture_.empty() ? nullptr : &texture_; }
  [[nodiscard]] Texture* texture() { return texture_.empty() ? nullptr : &texture_; }
  [[nodiscard]] const VolumeTexture* volume() const { return volume_.empty() ? nullptr : &volume_; }
  [[nodiscard]] VolumeTexture* volume() { return volume_.empty() ? nullptr : &volume_; }
  [[nodiscard]] const Buffer* buffer() const { return buffer_.id() == 0 ? nullptr : &buffer_; }

  /// Copies from host memory, for inputs, which are set once. Throws UsageError if the shape does not fit.
  void write(HostIn data);
  /// Reads everything back, for files and tests. Waits for the GPU.
  [[nodiscard]] HostArray read() const;

 private:
  Shape shape_;
  Texture texture_;
  VolumeTexture volume_;
  Buffer buffer_;
};

}  // namespace threadscape::gl
