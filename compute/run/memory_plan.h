#pragma once
// The memory that a run takes, known before it starts, so that what does not fit is refused with a message.

#include <cstddef>
#include <string_view>

#include "compute/run/run_request.h"

namespace threadscape {

/// Numbers of bytes by purpose: the memory that a run needs beside its input in host memory, or the memory that an
/// executor holds.
struct MemoryPlan {
  std::size_t host_output = 0, host_scratch = 0;
  std::size_t device_input = 0, device_output = 0, device_scratch = 0;

  [[nodiscard]] std::size_t host_bytes() const { return host_output + host_scratch; }
  [[nodiscard]] std::size_t device_bytes() const { return device_input + device_output + device_scratch; }
};

/// The memory that a run takes if its input and its result are in host memory. Throws UsageError for an unsuitable
/// input.
[[nodiscard]] MemoryPlan plan_memory(const RunRequest& request, const Shape& input);

/// The bytes of device memory that an executor that holds `held` has to allocate so that it can run what needs `need`.
/// Memory that is held for one purpose is not used for another.
[[nodiscard]] std::size_t device_growth(const MemoryPlan& need, const MemoryPlan& held);

/// Throws EnvironmentError with the numbers of bytes if the memory that `need` takes beyond `held` is not free on the
/// host or on the device, which may be null if none is needed. `what` is the subject of the message: the name of the
/// algorithm. Asks the system for the free memory only if something has to be allocated.
void require_memory(std::string_view what, const MemoryPlan& need, const MemoryPlan& held,
                    gpu::Device* device = nullptr);

}  // namespace threadscape
