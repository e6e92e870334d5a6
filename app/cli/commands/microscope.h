#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape microscope`: executes a kernel of a CUDA C++ or PTX file, or the kernels of an algorithm, warp by warp,
/// without a GPU, and prints their counts. The exit code is 0, and 1 if a kernel has faults.
[[nodiscard]] CommandAction set_up_microscope(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
