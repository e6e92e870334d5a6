#pragma once
// A DeviceExecutor for machines without a CUDA device that can fail as a device does.

#include <limits>
#include <optional>

#include "compute/run/device_executor.h"

namespace threadscape::testing {

/// Computes with the serial code, immediately and in host memory. The pointers of its device views point to host
/// memory, so they must not reach CUDA or GL, and sinks must be linear. One run can meet an injected error. Queuing the
/// run succeeds; after a sticky error, as after an illegal memory access in a kernel, all calls throw, and after one
/// that passes, as of a launch that asks for too many registers, the next call alone. Needs a device or a
/// cuda::PretendedDevice.
class FaultyExecutor final : public DeviceExecutor {
 public:
  static constexpr int never = std::numeric_limits<int>::max();
  static constexpr const char* message = "CUDA: an illegal memory access was encountered (injected)";

  static constexpr const char* passing_message = "CUDA: too many resources requested for launch (injected)";

  /// `faulty_run` is the number of the run that fails, counted from 1.
  explicit FaultyExecutor(int faulty_run = never, bool sticky = true) : faulty_run_(faulty_run), sticky_(sticky) {}

  [[nodiscard]] int runs() const { return runs_; }
  [[nodiscard]] MemoryPlan held() const override;

 private:
  void do_set_input(HostIn input) override;
  DeviceOut do_input_memory(const Shape& shape) override;
  DeviceOut do_linear_output(const Shape& shape) override;
  [[nodiscard]] CudaStream do_stream() const override { return nullptr; }
  void do_release_beyond(const MemoryPlan& need) override;
  void do_run(const RunRequest& request, const DeviceSink& sink, PartRange parts) override;
  void do_queue_download() override;
  [[nodiscard]] HostIn do_downloaded() const override { return downloaded_.view(); }
  void do_download(HostOut to) override;
  std::optional<StageTimes> do_poll() override;
  void do_wait() override { fail_if_lost(); }

  void fail_if_lost();

  int faulty_run_;
  bool sticky_;
  int runs_ = 0;
  HostArray input_, output_, downloaded_;
  HostScratch scratch_;
  std::optional<StageTimes> times_;
};

}  // namespace threadscape::testing
