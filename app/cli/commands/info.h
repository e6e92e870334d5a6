#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape info`: prints the CPU, the GPU and OpenGL, the route by which results reach the screen, and why it was
/// chosen. A machine without a GPU or without OpenGL is reported as such and is no error.
[[nodiscard]] CommandAction set_up_info(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
