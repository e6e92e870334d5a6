#pragma once
// The memory that a run takes, known before it starts, so that what does not fit is refused with a message.

#include <cstddef>
#include <string_view>

#include "compute/run/run_request.h"

namespace threadscape {

/// Bytes by purpose: what a run needs beside its input in host memory, or what an executor holds.
struct MemoryPlan {
  std::size_t host_output = 0, host_scratch = 0;
  std::size_t device_input = 0, device_output = 0, device_scratch = 0;

  [[nodiscard]] std::size_t host_bytes() const { return host_output + host_scratch; }
  [[nodiscard]] std::size_t device_bytes() const { return device_input + device_output + device_scratch; }
};

/// What the run takes when it starts from memory of the host and ends there. Throws UsageError for an unfit input.
[[nodiscard]] MemoryPlan plan_memory(const RunRequest& request, const Shape& input);

/// Bytes that have to be taken from free device memory so that an executor that holds `held` can do what needs `need`.
/// What it holds for a purpose serves that purpose alone.
[[nodiscard]] std::size_t device_growth(const MemoryPlan& need, const MemoryPlan& held);

/// Throws EnvironmentError with the figures when the memory that `need` takes beyond `held` is not free, on the host or
/// on the device. `what` is the subject of the message: the name of the algorithm. Asks the system how much is free
/// only if something has to be taken.
void require_memory(std::string_view what, const MemoryPlan& need, const MemoryPlan& held);

}  // namespace threadscape
