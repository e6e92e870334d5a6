#pragma once
// Three-dimensional textures: voxels of an object, and stacks of pictures. One sort serves both. Objects want trilinear
// filtering; stacks are long, and a three-dimensional texture takes more slices than an array of pictures does
// (NVIDIA: 16384 against 2048; Mesa's software renderer: 2048 either way), and CUDA writes into it as well.

#include <glad/gl.h>

#include <glm/vec3.hpp>
#include <utility>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::gl {

/// One channel, one level, immutable storage, edges clamped. Texture axes are those of Shape: width, height, depth.
/// Move-only.
class VolumeTexture {
 public:
  VolumeTexture() = default;
  /// Contents start undefined. Throws UsageError for numbers that no texture holds, EnvironmentError when a side is
  /// beyond what GL can do (the message says how much that is), or memory is short.
  explicit VolumeTexture(const Shape& shape);
  ~VolumeTexture();
  VolumeTexture(VolumeTexture&& other) noexcept { swap(other); }
  VolumeTexture& operator=(VolumeTexture&& other) noexcept {
    VolumeTexture(std::move(other)).swap(*this);
    return *this;
  }

  /// Volumes of u8, u16 or f32.
  [[nodiscard]] static bool can_hold(const Shape& shape);
  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] glm::ivec3 size() const { return size_; }
  [[nodiscard]] Format format() const { return format_; }
  [[nodiscard]] bool empty() const { return id_ == 0; }
  [[nodiscard]] Shape shape() const;
  [[nodiscard]] bool fits(const Shape& shape) const { return !empty() && shape == this->shape(); }

  void bind(GLuint unit) const { glBindTextureUnit(unit, id_); }
  /// Sets every voxel, as a shader sees it; NaN stands for "not known yet" in volumes of floats.
  void clear(float value);
  /// Copies from host memory at once. Throws UsageError when the shape does not fit.
  void write(HostIn voxels);
  /// Queues the copy of some slices that lie without gaps at `data`: an address, or an offset into the buffer that is
  /// bound to GL_PIXEL_UNPACK_BUFFER.
  void write_slices(const void* data, int first, int count);
  /// Reads everything back; waits for the GPU. For files and tests.
  [[nodiscard]] HostArray read() const;

 private:
  void swap(VolumeTexture& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(size_, other.size_);
    std::swap(format_, other.format_);
  }
  [[nodiscard]] std::size_t slice_bytes() const;
  /// Slices that go in one call: GL counts bytes in 32-bit ints here and there.
  [[nodiscard]] int slices_at_once() const;

  GLuint id_ = 0;
  glm::ivec3 size_{0};
  Format format_ = Format::r32f;
};

}  // namespace threadscape::gl
