#pragma once

#include "compute/core/run.h"

namespace threadscape::testing {

/// Queues a kernel that writes to an address where no memory is: the sticky error appears when it runs.
void write_to_illegal_address(const DeviceRun& run);

}  // namespace threadscape::testing
