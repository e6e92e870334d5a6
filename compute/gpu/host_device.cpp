#include "compute/gpu/host_device.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "compute/core/machine.h"

namespace threadscape::gpu {

namespace {

double& tick_of(Event event) {
  return *reinterpret_cast<double*>(event);
}

}  // namespace

HostDevice::HostDevice(int ordinal, std::string name, std::size_t total_bytes)
    : Device({.ordinal = ordinal,
              .name = std::move(name),
              .compute_major = 9,
              .multiprocessors = 1,
              .total_bytes = total_bytes}) {}

void HostDevice::record(Event event, CudaStream) {
  tick_of(event) = 0.25 * ++ticks_;
}

double HostDevice::ms_between(Event start, Event stop) {
  return tick_of(stop) - tick_of(start);
}

void HostDevice::copy(const CopyRows& rows, CopyKind, CudaStream) {
  for (std::size_t y = 0; y < rows.rows; ++y)
    std::memcpy(static_cast<std::byte*>(rows.to) + y * rows.to_pitch,
                static_cast<const std::byte*>(rows.from) + y * rows.from_pitch, rows.row_bytes);
}

void HostDevice::fill(void* block, int byte, std::size_t bytes, CudaStream) {
  std::memset(block, byte, bytes);
}

void HostDevice::do_end_context() {
  const std::lock_guard lock(mutex_);
  blocks_.clear();
}

std::size_t HostDevice::do_free_bytes() {
  return free_host_bytes();
}

void* HostDevice::do_allocate(std::size_t bytes) {
  void* const block = std::aligned_alloc(row_alignment, (bytes / row_alignment + 1) * row_alignment);
  if (block == nullptr) throw std::bad_alloc();
  const std::lock_guard lock(mutex_);
  blocks_.try_emplace(block, static_cast<std::byte*>(block), std::free);
  return block;
}

void HostDevice::do_release(void* block) noexcept {
  const std::lock_guard lock(mutex_);
  blocks_.erase(block);
}

Event HostDevice::do_make_event(bool) {
  return static_cast<Event>(do_allocate(sizeof(double)));
}

std::vector<std::unique_ptr<Device>> host_devices() {
  const char* const wish = std::getenv("TS_HOST_DEVICES");
  const long count = wish == nullptr ? 0 : std::strtol(wish, nullptr, 10);
  std::vector<std::unique_ptr<Device>> list;
  for (int ordinal = 0; ordinal < count && ordinal < 16; ++ordinal)
    list.push_back(std::make_unique<HostDevice>(ordinal, "host memory " + std::to_string(ordinal), free_host_bytes()));
  return list;
}

}  // namespace threadscape::gpu
