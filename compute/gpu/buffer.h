#pragma once
// RAII over device memory, pinned host memory, streams and events. Move-only.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "compute/core/data.h"
#include "compute/gpu/check.h"

namespace threadscape::cuda {

/// Device memory for data of one shape at a time. Grows, never shrinks; rows are padded to 256 bytes for images.
class DeviceArray {
 public:
  DeviceArray() = default;
  ~DeviceArray();
  DeviceArray(DeviceArray&& other) noexcept { *this = std::move(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept;

  /// Keeps the memory when it is large enough; contents are undefined afterwards.
  void reshape(const Shape& shape);
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] DeviceIn view() const { return {static_cast<const std::byte*>(data_), shape_, pitch_}; }
  [[nodiscard]] DeviceOut view() { return {static_cast<std::byte*>(data_), shape_, pitch_}; }
  /// Bytes that are held, whatever the shape.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// Bytes that reshape() would need for this shape.
  [[nodiscard]] static std::size_t bytes_for(const Shape& shape);

 private:
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t pitch_ = 0;
  Shape shape_;
};

/// Queued on the stream; from pageable memory the call itself may wait.
void upload(HostIn from, DeviceOut to, cudaStream_t stream);
void download(DeviceIn from, HostOut to, cudaStream_t stream);

/// Page-locked host memory, for transfers that run beside the CPU.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept { *this = std::move(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
  void reserve(std::size_t bytes);
  [[nodiscard]] std::byte* data() { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

class Stream {
 public:
  Stream();
  ~Stream();
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void wait() const;

 private:
  cudaStream_t stream_ = nullptr;
};

/// Two events around a piece of a stream.
class EventTimer {
 public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  void start(cudaStream_t stream);
  void stop(cudaStream_t stream);
  [[nodiscard]] bool ready() const;
  /// Waits for the second event.
  [[nodiscard]] double milliseconds() const;

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

}  // namespace threadscape::cuda
