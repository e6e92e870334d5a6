#include "compute/gpu/device.h"

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape {

namespace gpu {

namespace {

std::uint32_t next_context() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

std::size_t memory_limit() {
  const char* const wish = std::getenv("TS_CUDA_MEMORY");
  return wish == nullptr ? std::numeric_limits<std::size_t>::max() : std::strtoull(wish, nullptr, 10);
}

/// Stands for the device where there is none. Only its obstacle is ever asked for.
class AbsentDevice final : public Device {
 public:
  explicit AbsentDevice(std::string why) : Device({}), why_(std::move(why)) {}

  void wait(CudaStream) override { require(); }
  void record(Event, CudaStream) override { require(); }
  void hold(Event, CudaStream) override { require(); }
  void wait(Event) override { require(); }
  bool done(Event) override { return true; }
  double ms_between(Event, Event) override { return 0.0; }
  void copy(const CopyRows&, CopyKind, CudaStream) override { require(); }
  void fill(void*, int, std::size_t, CudaStream) override { require(); }
  bool holds(const void*) override { return false; }

 private:
  void do_make_current() override { require(); }
  std::string do_open() override { return why_; }
  void do_end_context() override {}
  std::string do_try() override { return why_; }
  std::size_t do_free_bytes() override { return 0; }
  void* do_allocate(std::size_t) override { return refuse(); }
  void do_release(void*) noexcept override {}
  void* do_allocate_pinned(std::size_t) override { return refuse(); }
  void do_release_pinned(void*) noexcept override {}
  CUstream_st* do_make_stream() override { return static_cast<CUstream_st*>(refuse()); }
  void do_release_stream(CUstream_st*) noexcept override {}
  Event do_make_event(bool) override { return static_cast<Event>(refuse()); }
  void do_release_event(Event) noexcept override {}

  void* refuse() {
    require();
    return nullptr;
  }

  std::string why_;
};

}  // namespace

thread_local Device* Device::current_device = nullptr;

Device::Device(DeviceInfo info) : info_(std::move(info)), context_(next_context()) {}

Device::~Device() {
  if (current_device == this) forget_current();
}

const std::string& Device::obstacle() {
  std::call_once(opening_, [this] { obstacle_ = do_open(); });
  return obstacle_;
}

std::optional<std::string> Device::fault() {
  const std::lock_guard lock(mutex_);
  return fault_;
}

std::string Device::problem() {
  if (!obstacle().empty()) return obstacle();
  const std::optional<std::string> reason = fault();
  return reason ? "it failed and is switched off: " + *reason : "";
}

void Device::require() {
  if (!obstacle().empty())
    throw BackendAbsent("backend cuda is not available: " + obstacle() + "; use serial or openmp");
  if (const std::optional<std::string> reason = fault())
    throw BackendAbsent("the device of backend cuda failed and is switched off: " + *reason + "; use serial or openmp");
}

void Device::make_current() {
  if (current_device == this) return;
  do_make_current();
  current_device = this;
}

std::size_t Device::free_bytes() {
  return usable() ? do_free_bytes() : 0;
}

void Device::retire(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!fault_) fault_ = reason;
}

void Device::end_context() {
  {
    const std::lock_guard lock(mutex_);
    if (!fault_ || std::exchange(ended_, true)) return;
  }
  do_end_context();
}

std::string Device::revive() {
  if (!obstacle().empty()) return obstacle();
  if (!fault()) return {};
  if (const int count = in_use_; count > 0)
    return std::to_string(count) + " blocks of memory, streams and events of its old context are still in use";
  end_context();
  if (std::string why = do_try(); !why.empty()) return why + ": start the program again to use it";
  context_ = next_context();
  const std::lock_guard lock(mutex_);
  ended_ = false;
  fault_.reset();
  return {};
}

bool Device::end_use() noexcept {
  --in_use_;
  const std::lock_guard lock(mutex_);
  return !fault_;
}

void* Device::allocate(std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (const std::size_t most = memory_limit(); allocated_ > most || bytes > most - allocated_)
      throw DeviceError("out of device memory: " + std::to_string(bytes) + " bytes beyond the limit of TS_CUDA_MEMORY",
                        /*sticky=*/false);
    allocated_ += bytes;  // Counted before it exists, so that two threads do not exceed the limit together.
  }
  void* block = nullptr;
  try {
    block = counted(do_allocate(bytes));
    const std::lock_guard lock(mutex_);
    blocks_.emplace(block, bytes);
  } catch (...) {
    if (block != nullptr && end_use()) do_release(block);
    const std::lock_guard lock(mutex_);
    allocated_ -= bytes;
    throw;
  }
  return block;
}

void Device::release(void* block) noexcept {
  if (block == nullptr) return;
  {
    // Before it is freed, since another thread may get the same address then.
    const std::lock_guard lock(mutex_);
    if (const auto known = blocks_.find(block); known != blocks_.end()) {
      allocated_ -= known->second;
      blocks_.erase(known);
    }
  }
  if (end_use()) do_release(block);
}

void* Device::allocate_pinned(std::size_t bytes) {
  return counted(do_allocate_pinned(bytes));
}

void Device::release_pinned(void* block) noexcept {
  if (block != nullptr && end_use()) do_release_pinned(block);
}

CudaStream Device::make_stream() {
  return {counted(do_make_stream()), this};
}

void Device::release_stream(CudaStream stream) noexcept {
  if (end_use()) do_release_stream(stream.handle);
}

Event Device::make_event(bool timed) {
  return counted(do_make_event(timed));
}

void Device::release_event(Event event) noexcept {
  if (end_use()) do_release_event(event);
}

Devices::Devices(std::vector<std::unique_ptr<Device>> list, std::string none, std::unique_ptr<Device> emulated)
    : list_(std::move(list)),
      absent_(std::make_unique<AbsentDevice>(std::move(none))),
      emulated_(std::move(emulated)) {}

Device& Devices::first() {
  if (const char* const wish = std::getenv("TS_DEVICE"); wish != nullptr && std::string_view(wish) == "emulated")
    return emulated();
  for (const std::unique_ptr<Device>& device : list_)
    if (device->obstacle().empty()) return *device;
  return list_.empty() ? *absent_ : *list_.front();
}

Device& Devices::at(int ordinal) {
  if (ordinal == emulated_ordinal) return emulated();
  std::string known;
  for (const std::unique_ptr<Device>& device : list_) {
    if (device->info().ordinal == ordinal) return *device;
    known += (known.empty() ? "" : " | ") + std::to_string(device->info().ordinal) + " (" + device->info().name + ")";
  }
  throw UsageError("device " + std::to_string(ordinal) +
                   " does not exist: " + (known.empty() ? absent_->obstacle() : "accepted are " + known));
}

}  // namespace gpu

void* DeviceMemory::allocate(std::size_t bytes) const {
  return device->allocate(bytes);
}

void DeviceMemory::release(void* block) const {
  if (block != nullptr) device->release(block);
}

void DeviceMemory::exhausted(std::size_t asked, std::size_t reserved) {
  throw std::logic_error("device working memory: " + std::to_string(asked) + " bytes taken, scratch_bytes() reserved " +
                         std::to_string(reserved));
}

}  // namespace threadscape
