#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape run`: reads a file, runs an algorithm, writes the result. On an error no result file is left behind.
[[nodiscard]] CommandAction set_up_run(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
