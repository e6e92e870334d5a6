#pragma once
// The one place where CUDA and OpenGL meet. Compiles without CUDA headers; in builds without CUDA the same functions
// exist and throw BackendAbsent.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compute/core/run.h"
#include "compute/gpu/executor.h"
#include "render/gl/resource.h"

namespace threadscape::interop {

/// Returns whether the device drives the current GL context. Several devices may.
[[nodiscard]] bool drives_gl(const gpu::Device& device);

/// Tries interop: registers a small texture, lets CUDA write it, reads it back through GL. Returns "" when the values
/// are right, else what failed. Leaves no CUDA error behind.
[[nodiscard]] std::string try_interop(gpu::Device& device);

/// What CUDA does with a GL texture.
enum class CudaAccess : std::uint8_t {
  write,  ///< Kernels write through its surface (cudaGraphicsRegisterFlagsSurfaceLoadStore).
  read,   ///< It is copied from (cudaGraphicsRegisterFlagsReadOnly).
};

/// A GL texture that CUDA may write or read. Registers once, in the constructor (milliseconds: never per frame). Must
/// die before its texture. Move-only.
class CudaGlTexture {
 public:
  CudaGlTexture();
  /// Registers the texture with the device of the executor. Throws EnvironmentError when CUDA cannot register it.
  CudaGlTexture(const gpu::Executor& executor, const gl::Texture& texture, CudaAccess access = CudaAccess::write);
  /// Registers a volume. Its surface is three-dimensional: compute/kernel/store.h writes to it.
  CudaGlTexture(const gpu::Executor& executor, const gl::VolumeTexture& volume, CudaAccess access = CudaAccess::write);
  ~CudaGlTexture();
  CudaGlTexture(CudaGlTexture&&) noexcept;
  CudaGlTexture& operator=(CudaGlTexture&&) noexcept;

  [[nodiscard]] bool empty() const { return state_ == nullptr; }

 private:
  friend class MapScope;
  struct State;
  std::unique_ptr<State> state_;
};

/// A GL buffer that CUDA may read and write. Registered in the constructor; must die before its buffer. Move-only.
class CudaGlBuffer {
 public:
  CudaGlBuffer();
  /// Registers the buffer with the device of the executor. Throws EnvironmentError when CUDA cannot register it.
  CudaGlBuffer(const gpu::Executor& executor, const gl::Buffer& buffer);
  ~CudaGlBuffer();
  CudaGlBuffer(CudaGlBuffer&&) noexcept;
  CudaGlBuffer& operator=(CudaGlBuffer&&) noexcept;

  [[nodiscard]] bool empty() const { return state_ == nullptr; }

 private:
  friend class MapScope;
  struct State;
  std::unique_ptr<State> state_;
};

/// Textures and buffers belong to CUDA while this lives: one batched map, one batched unmap in the destructor. Both are
/// ordered on the stream of the executor and against GL, so nothing else has to wait. GL must not touch them meanwhile.
/// Errors that stay retire the device, as with all work of the executor.
class MapScope {
 public:
  /// Throws EnvironmentError when mapping fails. The textures must outlive the scope.
  MapScope(std::span<CudaGlTexture* const> textures, const gpu::Executor& executor);
  MapScope(CudaGlTexture& texture, const gpu::Executor& executor);
  MapScope(CudaGlBuffer& buffer, const gpu::Executor& executor);
  ~MapScope();
  MapScope(const MapScope&) = delete;
  MapScope& operator=(const MapScope&) = delete;

  /// A cudaSurfaceObject_t over the whole texture, for DeviceSink::surface; kept between maps as long as CUDA gives the
  /// same array. Throws UsageError for a texture that this scope did not map, that is tiled, or that CUDA only reads.
  [[nodiscard]] std::uint64_t surface(const CudaGlTexture& texture) const;
  /// Queues a copy of the result into all tiles of the texture, on the scope's stream. Throws UsageError for a texture
  /// that this scope did not map.
  void copy_from(const DeviceIn& data, const CudaGlTexture& texture) const;
  /// Queues a copy of the whole texture, of all tiles, or of a volume to linear memory of the same size and element
  /// type, on the scope's stream. All bits arrive: every format of gl::Format stores the numbers as they were uploaded
  /// (GL normalises integers when a shader reads them, not in memory). Throws UsageError for a texture that this scope
  /// did not map.
  void copy_to(const CudaGlTexture& texture, const DeviceOut& data) const;
  /// Queues a copy of linear memory into the buffer, whose rows have no gaps, on the scope's stream. Throws UsageError
  /// for a buffer that this scope did not map, or that is too small.
  void copy_from(const DeviceIn& data, const CudaGlBuffer& buffer) const;
  /// Queues a copy of the buffer, whose rows have no gaps, to linear memory. Throws UsageError for a buffer that this
  /// scope did not map, or that is too small.
  void copy_to(const CudaGlBuffer& buffer, const DeviceOut& data) const;
  /// The buffer's memory as a result of this shape, without gaps between rows. Throws UsageError for a buffer that this
  /// scope did not map, or that is too small.
  [[nodiscard]] DeviceOut linear(const CudaGlBuffer& buffer, const Shape& shape) const;
  /// Unmaps before the destructor does, and throws EnvironmentError if that fails. (The destructor cannot throw: it
  /// retires the CUDA device.)
  void unmap();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace threadscape::interop
