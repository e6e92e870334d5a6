#pragma once
// The one place where CUDA and OpenGL meet. Compiles without CUDA headers; in builds without CUDA the same functions
// exist and throw BackendAbsent.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compute/core/run.h"
#include "render/gl/resource.h"
#include "render/interop/host_upload.h"

namespace threadscape::interop {

/// Ordinal of the CUDA device that drives the current GL context, or -1.
[[nodiscard]] int cuda_device_of_gl();

/// What the probe does: registers a small texture, lets CUDA write it, reads it back through GL. Returns "" when all is
/// well, else what failed. Leaves no CUDA error behind.
[[nodiscard]] std::string try_interop();

/// A GL texture that CUDA may write. Registers once, in the constructor (milliseconds: never per frame), with
/// cudaGraphicsRegisterFlagsSurfaceLoadStore. Must die before its texture. Move-only.
class CudaGlTexture {
 public:
  CudaGlTexture();
  /// Throws EnvironmentError when CUDA cannot register it.
  explicit CudaGlTexture(const gl::Texture& texture);
  /// Its surface is three-dimensional: compute/cuda/volume_store.cuh writes to it.
  explicit CudaGlTexture(const gl::VolumeTexture& volume);
  ~CudaGlTexture();
  CudaGlTexture(CudaGlTexture&&) noexcept;
  CudaGlTexture& operator=(CudaGlTexture&&) noexcept;

  [[nodiscard]] bool empty() const { return state_ == nullptr; }

 private:
  friend class MapScope;
  struct State;
  std::unique_ptr<State> state_;
};

/// A GL buffer that CUDA may write; the same rules.
class CudaGlBuffer {
 public:
  CudaGlBuffer();
  /// With cudaGraphicsRegisterFlagsNone: CUDA reads and writes. Throws EnvironmentError when CUDA cannot register it.
  explicit CudaGlBuffer(const gl::Buffer& buffer);
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
/// ordered on `stream` and against GL, so nothing else has to wait. GL must not touch them meanwhile.
class MapScope {
 public:
  /// Throws EnvironmentError when mapping fails. The textures must outlive the scope.
  MapScope(std::span<CudaGlTexture* const> textures, CudaStream stream);
  MapScope(CudaGlTexture& texture, CudaStream stream);
  MapScope(CudaGlBuffer& buffer, CudaStream stream);
  ~MapScope();
  MapScope(const MapScope&) = delete;
  MapScope& operator=(const MapScope&) = delete;

  /// A cudaSurfaceObject_t over the whole texture, for DeviceSink::surface; kept between maps as long as CUDA gives the
  /// same array. Throws UsageError for a texture that this scope did not map, or that is tiled.
  [[nodiscard]] std::uint64_t surface(const CudaGlTexture& texture) const;
  /// Queues a copy of the result into all tiles of the texture, on the scope's stream. Throws UsageError for a texture
  /// that this scope did not map.
  void copy_from(const DeviceIn& data, const CudaGlTexture& texture) const;
  /// The buffer's memory as a result of this shape, without gaps between rows. Throws UsageError for a buffer that this
  /// scope did not map, or that is too small.
  [[nodiscard]] DeviceOut linear(const CudaGlBuffer& buffer, const Shape& shape) const;
  /// Ends it early, and throws EnvironmentError if that fails (the destructor cannot; it retires the CUDA device).
  void unmap();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The staged route: device memory -> pinned memory -> pixel buffer -> texture (or buffer). One result at a time.
class StagedDownloader {
 public:
  StagedDownloader();
  ~StagedDownloader();
  StagedDownloader(const StagedDownloader&) = delete;
  StagedDownloader& operator=(const StagedDownloader&) = delete;

  /// Queues the copy to pinned memory behind what is on `stream`. `from` must stay until ready(). A result that was
  /// started earlier and not finished is dropped (after waiting for it).
  void start(DeviceIn from, CudaStream stream);
  [[nodiscard]] bool pending() const;
  /// Whether finish() would not wait. Throws EnvironmentError when the work on the stream failed.
  [[nodiscard]] bool ready() const;
  /// Puts the started result into `texture`, which must have its shape, through `uploader`. Waits if it is not ready().
  void finish(HostUploader& uploader, gl::Texture& texture);
  void finish(HostUploader& uploader, gl::Resource& resource);
  /// Device-to-host time of the last finished result, from CUDA events.
  [[nodiscard]] double download_ms() const;

 private:
  struct State;
  [[nodiscard]] HostIn take();
  std::unique_ptr<State> state_;
};

}  // namespace threadscape::interop
