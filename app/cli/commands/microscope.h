#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape microscope`: executes a kernel of a CUDA C++ or PTX file warp by warp, without a GPU, and prints its
/// counts. The exit code is 0, and 1 if the kernel has faults.
[[nodiscard]] CommandAction set_up_microscope(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
