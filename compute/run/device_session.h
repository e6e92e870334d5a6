#pragma once
// A CUDA run that stays on the device: the input is uploaded once, results go to a sink of the caller (a GL surface or
// linear memory), and timings are read when the events are ready. Used by the live view, on the thread that owns GL.
// In builds without CUDA the constructor throws BackendAbsent (device_session_none.cpp).

#include <memory>
#include <optional>

#include "compute/core/timings.h"
#include "compute/registry/algorithm.h"
#include "compute/run/runner.h"

namespace threadscape::cuda {

class DeviceSession {
 public:
  /// Throws BackendAbsent when there is no usable device.
  DeviceSession();
  ~DeviceSession();
  DeviceSession(const DeviceSession&) = delete;
  DeviceSession& operator=(const DeviceSession&) = delete;

  /// Uploads and keeps the input of the runs that follow; its time is reported with the next run.
  void set_input(HostIn input);
  [[nodiscard]] CudaStream stream() const;
  /// Linear device memory of this shape, kept by the session, for runs that do not write to a surface.
  [[nodiscard]] DeviceOut linear_output(const Shape& shape);
  /// Checks memory, then queues the run, or some parts of it (AlgorithmInfo::parts): those that follow the parts of the
  /// call before. Does not wait for it.
  void run(const RunRequest& request, const DeviceSink& sink, PartRange parts = {});
  /// Times of the last call of run() once its events are ready; then empty until the next run. Never waits.
  [[nodiscard]] std::optional<StageTimes> poll();
  /// Waits until everything queued is done.
  void wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace threadscape::cuda
