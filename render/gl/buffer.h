#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace threadscape::gl {

/// How a buffer's memory is used; decides its storage flags.
enum class BufferUse : std::uint8_t {
  device,    ///< GPU only: vertices that CUDA or a shader writes
  upload,    ///< mapped for ever, readable and writable by the CPU, then copied to the GPU
  download,  ///< mapped for ever, written by the GPU, then read by the CPU
};

/// Immutable buffer storage; mapped persistently and coherently where the CPU takes part. Move-only.
class Buffer {
 public:
  Buffer() = default;
  /// `bytes` > 0. Contents start undefined, or as in `data`. Throws EnvironmentError when memory is short.
  Buffer(BufferUse use, std::size_t bytes, const void* data = nullptr);
  ~Buffer();
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }

  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The mapping; null for BufferUse::device. Who reads or writes it is ordered by Fence.
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  GLuint id_ = 0;
  std::size_t size_ = 0;
  std::byte* data_ = nullptr;
};

/// A point in the GPU's command stream. Empty until placed; an empty fence has been passed. Move-only.
class Fence {
 public:
  Fence() = default;
  ~Fence();
  Fence(Fence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  Fence& operator=(Fence&& other) noexcept {
    std::swap(sync_, other.sync_);
    return *this;
  }

  /// After all GL commands so far.
  void place();
  /// Whether the GPU has got there. Never waits.
  [[nodiscard]] bool passed();
  /// Waits until it has. Throws EnvironmentError when the GPU does not answer for ten seconds.
  void wait();

 private:
  GLsync sync_ = nullptr;
};

}  // namespace threadscape::gl
