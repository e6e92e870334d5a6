#include "tests/support/compute/pretended_device.h"

#include "compute/core/errors.h"

namespace threadscape::testing {

PretendedDevice::PretendedDevice(int ordinal, std::size_t free_bytes)
    : HostDevice(ordinal, "pretended device " + std::to_string(ordinal), free_bytes), free_bytes_(free_bytes) {}

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

bool PretendedDevice::done(gpu::Event) {
  fail_if_lost();
  return true;
}

double PretendedDevice::ms_between(gpu::Event start, gpu::Event stop) {
  fail_if_lost();
  return HostDevice::ms_between(start, stop);
}

void PretendedDevice::copy(const gpu::CopyRows& rows, gpu::CopyKind kind, CudaStream stream) {
  if (kind == gpu::CopyKind::to_device) fail_if_lost();
  HostDevice::copy(rows, kind, stream);
}

void PretendedDevice::compute(const std::function<void()>& work) {
  fail_if_lost();
  if (++runs_ < faulty_run_) work();
}

void PretendedDevice::do_end_context() {
  ++ended_contexts_;
  HostDevice::do_end_context();
}

std::string PretendedDevice::do_try() {
  if (refusal_.empty()) faulty_run_ = never;
  return refusal_;
}

void* PretendedDevice::do_allocate(std::size_t bytes) {
  fail_if_lost();
  return HostDevice::do_allocate(bytes);
}

}  // namespace threadscape::testing
