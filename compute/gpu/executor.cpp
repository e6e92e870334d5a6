#include "compute/gpu/executor.h"

#include <exception>
#include <new>

namespace threadscape::gpu {

Executor::Executor(Device& device, std::optional<CUstream_st*> stream) : device_(device) {
  device.require();
  if (!stream) guarded([&] { own_.emplace(device); });
  first_ = stream_ = stream ? CudaStream{*stream, &device} : own_->get();
}

void Executor::queue_on(std::optional<CUstream_st*> stream) {
  guarded([&] {
    if (!order_) order_.emplace(device_);
    const CudaStream next = stream ? CudaStream{*stream, &device_} : first_;
    order_->record(stream_);
    order_->hold(next);
    stream_ = next;
  });
}

void Executor::finish() const noexcept {
  try {
    if (device_.usable()) device_.wait(stream_);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): see the declaration.
  }
}

void Executor::rethrow() const {
  try {
    throw;
  } catch (const DeviceError& error) {
    rethrow(device_, error);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("out of memory while the CUDA backend ran");
  }
}

void Executor::rethrow(Device& device, const DeviceError& error) {
  if (!error.sticky()) throw;
  device.retire(error.what());
  throw DeviceLost(error.what());
}

}  // namespace threadscape::gpu
