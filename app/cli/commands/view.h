#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape view`: opens the window. Without a display the action throws an EnvironmentError that names
/// `threadscape render`.
[[nodiscard]] CommandAction set_up_view(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
