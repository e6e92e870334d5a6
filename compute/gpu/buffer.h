#pragma once
// RAII over memory, streams and events of a device. Move-only.

#include <cstddef>
#include <utility>

#include "compute/core/data.h"
#include "compute/gpu/device.h"

namespace threadscape::gpu {

/// Device memory for data of one shape at a time. Grows, never shrinks; rows are padded to 256 bytes for images.
class DeviceArray {
 public:
  explicit DeviceArray(Device& device) : device_(&device) {}
  // Destructors ignore errors: after a sticky one every call fails, and nothing is left to save.
  ~DeviceArray() { release(); }
  DeviceArray(DeviceArray&& other) noexcept : DeviceArray(*other.device_) { *this = std::move(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept;

  /// Keeps the memory when it is large enough; contents are undefined afterwards.
  void reshape(const Shape& shape);
  /// Gives the memory back.
  void release();
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] DeviceIn view() const { return {static_cast<const std::byte*>(data_), shape_, pitch_}; }
  [[nodiscard]] DeviceOut view() { return {static_cast<std::byte*>(data_), shape_, pitch_}; }
  /// Bytes that are held, whatever the shape.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// Bytes that reshape() would need for this shape.
  [[nodiscard]] static std::size_t bytes_for(const Shape& shape);

 private:
  Device* device_;
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t pitch_ = 0;
  Shape shape_;
};

/// Queued on the stream; from pageable memory the call itself may wait.
void upload(HostIn from, DeviceOut to, CudaStream stream);
void download(DeviceIn from, HostOut to, CudaStream stream);

/// Page-locked host memory, for transfers that run beside the CPU.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(Device& device) : device_(&device) {}
  ~PinnedBuffer() { release(); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  void reserve(std::size_t bytes);
  void release();
  [[nodiscard]] std::byte* data() { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  Device* device_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

class Stream {
 public:
  explicit Stream(Device& device) : stream_(device.make_stream()) {}
  ~Stream() { stream_.device->release_stream(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] CudaStream get() const { return stream_; }
  void wait() const { stream_.device->wait(stream_); }

 private:
  CudaStream stream_;
};

/// Two events around a piece of a stream.
class EventTimer {
 public:
  explicit EventTimer(Device& device) : start_(device, true), stop_(device, true) {}
  void start(CudaStream stream) { stream.device->record(start_.event, stream); }
  void stop(CudaStream stream) { stream.device->record(stop_.event, stream); }
  [[nodiscard]] bool ready() const { return stop_.device.done(stop_.event); }
  /// Waits for the second event.
  [[nodiscard]] double milliseconds() const { return stop_.device.ms_between(start_.event, stop_.event); }

 private:
  friend class OrderEvent;
  struct Owned {
    Owned(Device& of, bool timed) : device(of), event(of.make_event(timed)) {}
    ~Owned() { device.release_event(event); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Device& device;
    Event event;
  };
  Owned start_, stop_;
};

/// An event without a time stamp, which orders the work of streams. All functions throw DeviceError.
class OrderEvent {
 public:
  explicit OrderEvent(Device& device) : event_(device, false) {}
  /// The event takes place when the work that the stream has now is done.
  void record(CudaStream stream) { event_.device.record(event_.event, stream); }
  /// Work that is queued on the stream from now on waits for the event.
  void hold(CudaStream stream) const { event_.device.hold(event_.event, stream); }
  /// The calling thread waits for the event.
  void wait() const { event_.device.wait(event_.event); }

 private:
  EventTimer::Owned event_;
};

}  // namespace threadscape::gpu
