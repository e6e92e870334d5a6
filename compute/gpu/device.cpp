// The state of the device: what was found, and whether it was retired. Compiled in builds with and without CUDA.

#include "compute/gpu/device.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "compute/core/errors.h"
#include "compute/gpu/device_query.h"
#include "compute/gpu/device_testing.h"

namespace threadscape::cuda {

namespace {

std::mutex mutex;                            // Guards `retirement`.
std::optional<std::string> retirement;       // The reason why the device was retired; unset if it is usable.
std::atomic<const DeviceInfo*> pretended{};  // In tests, replaces the device that was found.
std::atomic<std::size_t> pretended_free{};

std::optional<std::string> retired() {
  const std::lock_guard lock(mutex);
  return retirement;
}

}  // namespace

const DeviceInfo& device_info() {
  if (const DeviceInfo* info = pretended) return *info;
  static const DeviceInfo info = query_device();
  return info;
}

std::string device_problem() {
  if (const DeviceInfo& info = device_info(); !info.available) return info.reason;
  const std::optional<std::string> reason = retired();
  return reason ? "it ended for this run of the program: " + *reason : "";
}

void require_device() {
  if (const DeviceInfo& info = device_info(); !info.available)
    throw BackendAbsent("backend cuda is not available: " + info.reason + "; use serial or openmp");
  if (const std::optional<std::string> reason = retired())
    throw BackendAbsent("backend cuda ended for this run of the program: " + *reason + "; use serial or openmp");
}

std::size_t free_device_bytes() {
  if (!device_problem().empty()) return 0;
  return pretended.load() != nullptr ? pretended_free.load() : query_free_bytes();
}

void retire_device(const std::string& reason) {
  const std::lock_guard lock(mutex);
  if (!retirement) retirement = reason;
}

void release_retired_device() {
  if (pretended.load() == nullptr && retired()) reset_device();
}

struct PretendedDevice::Saved {
  DeviceInfo info;
  const DeviceInfo* pretended;
  std::size_t free;
  std::optional<std::string> retirement;
};

PretendedDevice::PretendedDevice(std::size_t free_bytes) : saved_(std::make_unique<Saved>()) {
  saved_->info = {.compiled = true,
                  .available = true,
                  .reason = "",
                  .name = "pretended device",
                  .compute_major = 9,
                  .multiprocessors = 1,
                  .total_bytes = free_bytes};
  const std::lock_guard lock(mutex);
  saved_->retirement = std::exchange(retirement, std::nullopt);
  saved_->pretended = pretended.exchange(&saved_->info);
  saved_->free = pretended_free.exchange(free_bytes);
}

PretendedDevice::~PretendedDevice() {
  const std::lock_guard lock(mutex);
  retirement = saved_->retirement;
  pretended = saved_->pretended;
  pretended_free = saved_->free;
}

}  // namespace threadscape::cuda
