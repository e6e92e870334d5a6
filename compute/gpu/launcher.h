#pragma once
// Launches of the emulated device, for those who look at them.

#include <functional>

#include "compute/warp/machine.h"

namespace threadscape::gpu {

/// Executes a launch. A result with faults, or one that says why it was stopped, ends the run of the launch.
using Launcher = std::function<warp::LaunchResult(const warp::LaunchRequest&)>;

/// From now on the emulated device executes launches by `launcher`, one after another; null is warp::launch(). Throws
/// BackendAbsent where this build has no CUDA kernels, or has them without PTX.
void launch_by(Launcher launcher);

}  // namespace threadscape::gpu
