#include "tests/support/compute/pretended_device.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "compute/core/errors.h"

namespace threadscape::testing {

namespace {

double& time_of(gpu::Event event) {
  return *reinterpret_cast<double*>(event);
}

}  // namespace

PretendedDevice::PretendedDevice(int ordinal, std::size_t free_bytes)
    : Device({.ordinal = ordinal,
              .name = "pretended device " + std::to_string(ordinal),
              .compute_major = 9,
              .multiprocessors = 1,
              .total_bytes = free_bytes}),
      free_bytes_(free_bytes) {}

PretendedDevice::~PretendedDevice() = default;

void PretendedDevice::fail_at(int run, bool stays) {
  faulty_run_ = run;
  stays_ = stays;
}

void PretendedDevice::fail_if_lost() {
  if (runs_ < faulty_run_) return;
  if (stays_) throw DeviceError(message, /*sticky=*/true);
  faulty_run_ = never;
  throw DeviceError(passing_message, /*sticky=*/false);
}

void PretendedDevice::record(gpu::Event event, CudaStream) {
  time_of(event) = 0.25 * ++ticks_;
}

bool PretendedDevice::done(gpu::Event) {
  fail_if_lost();
  return true;
}

double PretendedDevice::ms_between(gpu::Event start, gpu::Event stop) {
  fail_if_lost();
  return time_of(stop) - time_of(start);
}

void PretendedDevice::copy(const gpu::CopyRows& rows, gpu::CopyKind kind, CudaStream) {
  if (kind == gpu::CopyKind::to_device) fail_if_lost();
  for (std::size_t y = 0; y < rows.rows; ++y)
    std::memcpy(static_cast<std::byte*>(rows.to) + y * rows.to_pitch,
                static_cast<const std::byte*>(rows.from) + y * rows.from_pitch, rows.row_bytes);
}

void PretendedDevice::fill(void* block, int byte, std::size_t bytes, CudaStream) {
  std::memset(block, byte, bytes);
}

void PretendedDevice::compute(const std::function<void()>& work) {
  fail_if_lost();
  if (++runs_ < faulty_run_) work();
}

void PretendedDevice::do_end_context() {
  ++ended_contexts_;
  const std::lock_guard lock(mutex_);
  blocks_.clear();
}

std::string PretendedDevice::do_try() {
  if (refusal_.empty()) faulty_run_ = never;
  return refusal_;
}

void* PretendedDevice::do_allocate(std::size_t bytes) {
  fail_if_lost();
  void* const block = std::aligned_alloc(256, (bytes + 255) / 256 * 256 + 256);
  if (block == nullptr) throw std::bad_alloc();
  const std::lock_guard lock(mutex_);
  blocks_.try_emplace(block, static_cast<std::byte*>(block), std::free);
  return block;
}

void PretendedDevice::do_release(void* block) noexcept {
  const std::lock_guard lock(mutex_);
  blocks_.erase(block);
}

gpu::Event PretendedDevice::do_make_event(bool) {
  return static_cast<gpu::Event>(do_allocate(sizeof(double)));
}

}  // namespace threadscape::testing
