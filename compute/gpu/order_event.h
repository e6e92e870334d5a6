#pragma once

#include <cuda_runtime_api.h>

#include "compute/gpu/check.h"

namespace threadscape::cuda {

/// A CUDA event without a time stamp, which orders the work of streams. All functions throw DeviceError.
class OrderEvent {
 public:
  OrderEvent() { TS_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~OrderEvent() { cudaEventDestroy(event_); }
  OrderEvent(const OrderEvent&) = delete;
  OrderEvent& operator=(const OrderEvent&) = delete;

  /// The event takes place when the work that the stream has now is done.
  void record(cudaStream_t stream) { TS_CUDA_CHECK(cudaEventRecord(event_, stream)); }
  /// Work that is queued on the stream from now on waits for the event.
  void hold(cudaStream_t stream) const { TS_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }
  /// The calling thread waits for the event.
  void wait() const { TS_CUDA_CHECK(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace threadscape::cuda
