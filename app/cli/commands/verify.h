#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape verify`: compares backends and variants with serial. The exit code is 0 if everything that can run on
/// this machine agrees, 1 on a difference, and 77 if nothing of what was asked for can run.
[[nodiscard]] CommandAction set_up_verify(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
