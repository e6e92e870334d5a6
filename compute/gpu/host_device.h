#pragma once
// A device that needs no GPU: its memory is host memory, and runs on it compute with the serial code, at once. Tests
// use it in place of GPUs.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compute/gpu/device.h"

namespace threadscape::gpu {

/// Times of events pretend that a quarter of a millisecond passes between any two of them.
class HostDevice : public Device {
 public:
  HostDevice(int ordinal, std::string name, std::size_t total_bytes);

  [[nodiscard]] bool runs_kernels() const override { return false; }
  [[nodiscard]] bool holds(const void*) override { return true; }
  void wait(CudaStream) override {}
  void record(Event event, CudaStream stream) override;
  void hold(Event, CudaStream) override {}
  void wait(Event) override {}
  bool done(Event) override { return true; }
  double ms_between(Event start, Event stop) override;
  void copy(const CopyRows& rows, CopyKind kind, CudaStream stream) override;
  void fill(void* block, int byte, std::size_t bytes, CudaStream stream) override;

 protected:
  void do_make_current() override {}
  std::string do_open() override { return {}; }
  void do_end_context() override;
  std::string do_try() override { return {}; }
  std::size_t do_free_bytes() override;
  void* do_allocate(std::size_t bytes) override;
  void do_release(void* block) noexcept override;
  void* do_allocate_pinned(std::size_t bytes) override { return do_allocate(bytes); }
  void do_release_pinned(void* block) noexcept override { do_release(block); }
  CUstream_st* do_make_stream() override { return nullptr; }
  void do_release_stream(CUstream_st*) noexcept override {}
  Event do_make_event(bool timed) override;
  void do_release_event(Event event) noexcept override { do_release(event); }

 private:
  std::atomic<int> ticks_ = 0;
  std::mutex mutex_;  ///< Guards the blocks.
  /// Memory, and the times of events, which are memory, too.
  std::map<void*, std::unique_ptr<std::byte, void (*)(void*)>> blocks_;
};

/// The devices of this kind, whose number, from 0 to 16, the environment variable TS_HOST_DEVICES states.
[[nodiscard]] std::vector<std::unique_ptr<Device>> host_devices();

}  // namespace threadscape::gpu
