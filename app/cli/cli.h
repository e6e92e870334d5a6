#pragma once

#include "app/cli/command.h"
#include "compute/gpu/device.h"

namespace threadscape::app {

/// Parses the command line, runs one command and returns the exit code of the program. Every error is caught here, and
/// nowhere else in app/cli: it becomes one line on stderr, "threadscape: what, where, what would be accepted".
/// Commands use the devices that `find_devices` gives.
int run_command_line(int argc, const char* const* argv, FindDevices find_devices = gpu::devices);

}  // namespace threadscape::app
