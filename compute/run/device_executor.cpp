#include "compute/run/device_executor.h"

#include <new>
#include <stdexcept>

#include "compute/gpu/device.h"

namespace threadscape {

void DeviceExecutor::rethrow() {
  try {
    throw;
  } catch (const DeviceError& error) {
    if (!error.sticky()) throw;
    cuda::retire_device(error.what());
    throw DeviceLost(error.what());
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("out of memory while the CUDA backend ran");
  }
}

void DeviceExecutor::require_memory(std::string_view what, const MemoryPlan& need) {
  guarded([&] {
    if (const std::size_t growth = device_growth(need, held()); growth > 0 && growth > cuda::free_device_bytes())
      do_release_beyond(need);
    threadscape::require_memory(what, need, held());
  });
}

void DeviceExecutor::set_input(HostIn input) {
  cuda::require_device();
  require_memory("the input", {.device_input = array_bytes(input.shape, cuda::device_row_alignment)});
  guarded([&] { do_set_input(input); });
}

DeviceOut DeviceExecutor::input_memory(const Shape& shape) {
  cuda::require_device();
  require_memory("the input", {.device_input = array_bytes(shape, cuda::device_row_alignment)});
  return guarded([&] { return do_input_memory(shape); });
}

DeviceOut DeviceExecutor::linear_output(const Shape& shape) {
  cuda::require_device();
  require_memory("the output", {.device_input = held().device_input,
                                .device_output = array_bytes(shape, cuda::device_row_alignment)});
  return guarded([&] { return do_linear_output(shape); });
}

void DeviceExecutor::run(const RunRequest& request, const DeviceSink& sink, PartRange parts) {
  cuda::require_device();
  if (needs_preparation(request)) throw std::logic_error("run without its preparation");
  guarded([&] { do_run(request, sink, parts); });
}

void DeviceExecutor::queue_download() {
  guarded([&] { do_queue_download(); });
}

void DeviceExecutor::download(HostOut to) {
  guarded([&] { do_download(to); });
}

std::optional<StageTimes> DeviceExecutor::poll() {
  return guarded([&] { return do_poll(); });
}

void DeviceExecutor::wait() {
  guarded([&] { do_wait(); });
}

}  // namespace threadscape
