#pragma once
// Three-dimensional textures, for the voxels of objects and for stacks of pictures. Objects need trilinear filtering;
// stacks are long, and a three-dimensional texture has more slices than an array texture (16384 against 2048 on NVIDIA,
// 2048 for both in Mesa's software renderer). CUDA can write both.

#include <glad/gl.h>

#include <glm/vec3.hpp>
#include <utility>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::gl {

/// A three-dimensional texture with one channel and one level, immutable storage and clamped edges. Its axes are those
/// of Shape: width, height, depth. Move-only.
class VolumeTexture {
 public:
  VolumeTexture() = default;
  /// The contents are undefined. Throws UsageError if can_hold() is false, and EnvironmentError if a side exceeds the
  /// limit of GL, which the message tells, or there is not enough memory.
  explicit VolumeTexture(const Shape& shape);
  ~VolumeTexture();
  VolumeTexture(VolumeTexture&& other) noexcept { swap(other); }
  VolumeTexture& operator=(VolumeTexture&& other) noexcept {
    VolumeTexture(std::move(other)).swap(*this);
    return *this;
  }

  /// Returns whether the shape is a volume of u8, u16 or f32 with one channel.
  [[nodiscard]] static bool can_hold(const Shape& shape);
  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] glm::ivec3 size() const { return size_; }
  [[nodiscard]] Format format() const { return format_; }
  [[nodiscard]] bool empty() const { return id_ == 0; }
  [[nodiscard]] Shape shape() const;
  [[nodiscard]] bool fits(const Shape& shape) const { return !empty() && shape == this->shape(); }

  void bind(GLuint unit) const { glBindTextureUnit(unit, id_); }
  /// Sets every voxel to a value as a shader reads it. In volumes of floats NaN stands for a voxel not yet computed.
  void clear(float value);
  /// Copies from host memory. Throws UsageError if the shape does not fit.
  void write(HostIn voxels);
  [[nodiscard]] std::size_t slice_bytes() const;
  /// Queues the copy of the slices first .. first + count - 1 from `data`, where they are contiguous: an address, or an
  /// offset into the buffer bound to GL_PIXEL_UNPACK_BUFFER.
  void write_slices(const void* data, int first, int count);
  /// Queues the copy of all slices to `data`, where they are contiguous: an offset into the buffer bound to
  /// GL_PIXEL_PACK_BUFFER, or an address, in which case the call waits for the GPU.
  void copy_to(std::byte* data) const;
  /// Reads everything back, for tests. Waits for the GPU; PendingRead does not.
  [[nodiscard]] HostArray read() const;

 private:
  void swap(VolumeTexture& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(size_, other.size_);
    std::swap(format_, other.format_);
  }
  /// Maximum number of slices in one call, since GL takes some sizes in bytes as 32-bit ints.
  [[nodiscard]] int slices_at_once() const;

  GLuint id_ = 0;
  glm::ivec3 size_{0};
  Format format_ = Format::r32f;
};

}  // namespace threadscape::gl
