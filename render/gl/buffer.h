#pragma once
// Buffers of GL memory, and fences that order accesses by the CPU and the GPU.

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace threadscape::gl {

/// How the memory of a buffer is used. It decides the storage flags.
enum class BufferUse : std::uint8_t {
  device,    ///< Used by the GPU only, for example vertices that CUDA or a shader writes.
  upload,    ///< Mapped persistently; the CPU reads and writes it, then it is copied on the GPU.
  download,  ///< Mapped persistently; the GPU writes it, then the CPU reads it.
};

/// Immutable buffer storage, mapped persistently and coherently if the CPU uses it. Move-only.
class Buffer {
 public:
  Buffer() = default;
  /// `bytes` > 0. The contents are those of `data`, or undefined if it is null. Throws EnvironmentError if there is not
  /// enough memory.
  Buffer(BufferUse use, std::size_t bytes, const void* data = nullptr);
  ~Buffer();
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }

  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The mapped memory; null for BufferUse::device. Accesses by the CPU and by the GPU have to be ordered by a Fence.
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

/// A point in the command stream of the GPU. It is empty until placed, and an empty fence counts as passed. Move-only.
class Fence {
 public:
  Fence() = default;
  ~Fence();
  Fence(Fence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  Fence& operator=(Fence&& other) noexcept {
    std::swap(sync_, other.sync_);
    return *this;
  }

  /// Places the fence after all GL commands so far.
  void place();
  /// Returns whether the GPU has reached the fence. Never waits.
  [[nodiscard]] bool passed();
  /// Waits until the GPU reaches the fence. Throws EnvironmentError if that takes more than ten seconds.
  void wait();

 private:
  GLsync sync_ = nullptr;
};

}  // namespace threadscape::gl
