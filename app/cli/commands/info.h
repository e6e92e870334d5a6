#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape info`: prints the CPU, the GPU, OpenGL, and by which route results reach the screen and why. The lack
/// of a GPU or of OpenGL is reported, and is no error.
[[nodiscard]] CommandAction set_up_info(CLI::App& app);

}  // namespace threadscape::app
