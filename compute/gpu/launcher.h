#pragma once
// Launches of the emulated device, for those who look at them.

#include <functional>
#include <string>

#include "compute/warp/machine.h"

namespace threadscape::gpu {

/// Executes a launch. A result with faults, or one that says why it was stopped, ends the run of the launch.
using Launcher = std::function<warp::LaunchResult(const warp::LaunchRequest&)>;

/// From now on the emulated device executes launches by `launcher`, one after another; null is warp::launch(). Throws
/// BackendAbsent where this build has no CUDA kernels, or has them without PTX. With `watched`, memory that is
/// allocated from now on keeps track of what was written (warp::Allocation::written), which takes as many bytes again.
void launch_by(Launcher launcher, bool watched = false);

/// The PTX that a module of the emulated device was read from; "" for other modules.
[[nodiscard]] std::string ptx_of(const warp::Module& module);

}  // namespace threadscape::gpu
