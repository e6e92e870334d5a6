#pragma once
// A device for machines without one, which can fail as a GPU does.

#include <atomic>
#include <limits>
#include <string>

#include "compute/gpu/host_device.h"

namespace threadscape::testing {

/// One run can meet an injected error. Queuing that run succeeds; after an error that stays, as after an illegal memory
/// access in a kernel, everything that waits or copies from the host fails, and after one that passes, as of a launch
/// that asks for too many registers, the next such call alone.
class PretendedDevice final : public gpu::HostDevice {
 public:
  static constexpr int never = std::numeric_limits<int>::max();
  static constexpr const char* message = "CUDA: an illegal memory access was encountered (injected)";
  static constexpr const char* passing_message = "CUDA: too many resources requested for launch (injected)";

  explicit PretendedDevice(int ordinal = 0, std::size_t free_bytes = std::size_t{1} << 30);
  ~PretendedDevice() override;

  /// The run with this number, counted from 1, fails.
  void fail_at(int run, bool stays = true);
  void set_free_bytes(std::size_t bytes) { free_bytes_ = bytes; }
  /// What the driver says when a new context is made; "" if it makes one.
  void refuse_revival(std::string why) { refusal_ = std::move(why); }
  /// Runs that were queued.
  [[nodiscard]] int runs() const { return runs_; }
  /// Contexts that were destroyed.
  [[nodiscard]] int ended_contexts() const { return ended_contexts_; }

  void wait(CudaStream) override { fail_if_lost(); }
  void wait(gpu::Event) override { fail_if_lost(); }
  bool done(gpu::Event) override;
  double ms_between(gpu::Event start, gpu::Event stop) override;
  void copy(const gpu::CopyRows& rows, gpu::CopyKind kind, CudaStream stream) override;
  void compute(const std::function<void()>& work) override;

 private:
  void do_end_context() override;
  std::string do_try() override;
  std::size_t do_free_bytes() override { return free_bytes_; }
  void* do_allocate(std::size_t bytes) override;

  void fail_if_lost();

  std::atomic<std::size_t> free_bytes_;
  std::atomic<int> faulty_run_ = never, runs_ = 0, ended_contexts_ = 0;
  std::atomic<bool> stays_ = true;
  std::string refusal_;
};

}  // namespace threadscape::testing
