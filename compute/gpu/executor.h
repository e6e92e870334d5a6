#pragma once

#include <optional>
#include <string>

#include "compute/core/errors.h"
#include "compute/gpu/buffer.h"

namespace threadscape::gpu {

/// Work on a stream of a device, and the one place that turns its errors into those that the program knows: an error
/// that stays retires the device (Device::retire()) and is thrown on as DeviceLost; lack of memory is an
/// EnvironmentError. Whatever calls the device goes through guarded().
///
/// Not thread-safe: one thread, which for memory of OpenGL is the thread that owns the GL context.
class Executor {
 public:
  /// Queues on `stream` of the device, which outlives the executor, or on a stream of its own. Throws BackendAbsent if
  /// the device cannot be used.
  explicit Executor(Device& device, std::optional<CUstream_st*> stream = {});
  /// Waits until the device is done with what was queued. Does not throw.
  ~Executor() { finish(); }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  [[nodiscard]] Device& device() const { return device_; }
  [[nodiscard]] CudaStream stream() const { return stream_; }

  /// Queues what follows on another stream of the device, where it waits for what is queued so far; without one, on
  /// the stream that the executor was made with. A stream of others is left before it may end.
  void queue_on(std::optional<CUstream_st*> stream);

  /// Calls `work` with the device as the current one of the thread.
  template <class Work>
  auto guarded(const Work& work) const {
    try {
      device_.make_current();
      return work();
    } catch (...) {
      rethrow();
    }
  }
  /// Retires the device, for a failure that is not thrown.
  void fail(const std::string& reason) const { device_.retire(reason); }
  /// Waits until everything queued is done.
  void wait() const {
    guarded([&] { device_.wait(stream_); });
  }

  /// Waits like wait(), and ignores errors: of a lost device nothing is written any more.
  void finish() const noexcept;

 private:
  /// Inside a catch: throws the current exception on in its promised form.
  [[noreturn]] void rethrow() const;

 protected:
  /// Inside a catch: throws the current exception, which is an error of the device, on in its promised form.
  [[noreturn]] static void rethrow(Device& device, const DeviceError& error);

 private:
  Device& device_;
  std::optional<Stream> own_;
  CudaStream first_, stream_;
  std::optional<OrderEvent> order_;  ///< Between two streams, once there are two.
};

}  // namespace threadscape::gpu
