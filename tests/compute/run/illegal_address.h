#pragma once

#include "compute/core/run.h"

namespace threadscape::testing {

/// Queues a kernel that writes to an unmapped address, which causes a sticky error when the kernel runs.
void write_to_illegal_address(const DeviceRun& run);

}  // namespace threadscape::testing
