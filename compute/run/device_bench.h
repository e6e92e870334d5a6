#pragma once
// Times of a CUDA run whose data is already on the device: events around the kernels alone. For `bench`.
// The constructors and device_copy_bandwidth() throw BackendAbsent if the device cannot be used.

#include <functional>
#include <memory>
#include <optional>

#include "compute/run/kernel_counters.h"
#include "compute/run/kernel_facts.h"
#include "compute/run/runner.h"

namespace threadscape::cuda {

class DeviceBench {
 public:
  /// Allocates and uploads. As many pairs of input and output as are needed to exceed the L2 cache four times, so that
  /// no run finds its data there. `input` stays valid as long as this object. Throws EnvironmentError when not even one
  /// pair fits.
  DeviceBench(const RunRequest& request, HostIn input, const Shape& output);
  /// Measures what another library does: `work` queues one run on a stream.
  using Work = std::function<void(DeviceIn, DeviceOut, CudaStream)>;
  DeviceBench(gpu::Device& device, Work work, HostIn input, const Shape& output);
  ~DeviceBench();
  DeviceBench(const DeviceBench&) = delete;
  DeviceBench& operator=(const DeviceBench&) = delete;

  [[nodiscard]] int pairs() const;
  /// Milliseconds per run, over `repetitions` runs that follow each other on the stream and go round the pairs.
  [[nodiscard]] double compute_ms(int repetitions);
  /// Milliseconds for one transfer from or to the caller's (pageable) memory.
  [[nodiscard]] double upload_ms(HostIn from);
  [[nodiscard]] double download_ms(HostOut to);
  /// The kernels of a run, which is recorded instead of executed. Empty if the run cannot be recorded, because it waits
  /// for the device between its kernels.
  [[nodiscard]] Kernels kernels();
  /// What the GPU counts during one run, which is made several times for that. Throws EnvironmentError with one
  /// sentence if this GPU, this machine or this build cannot count.
  [[nodiscard]] CountedRun count();
  /// Milliseconds of the host for allocating and releasing the device memory of one run: input, output and scratch
  /// memory. Unset if the device has no room for them beside the pairs.
  [[nodiscard]] std::optional<double> allocation_ms();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Bytes per second (read plus written) of a device-to-device copy far larger than the L2 cache; the best of several
/// runs.
[[nodiscard]] double device_copy_bandwidth(gpu::Device& device);

}  // namespace threadscape::cuda
