#pragma once

namespace threadscape::cuda {

/// A kernel of this build, for asking the runtime whether it has code for the GPU at hand.
[[nodiscard]] const void* probe_kernel();
/// Queues that kernel, which does nothing, on the default stream of the current device.
void launch_probe();
/// Returns whether begin() (launch.cuh) waits in the code that a device of this compute capability runs, which is the
/// code compiled for the newest architecture that is not newer than the device.
[[nodiscard]] bool launches_early(int major, int minor);

}  // namespace threadscape::cuda
