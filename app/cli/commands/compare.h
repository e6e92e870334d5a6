#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape compare`.
[[nodiscard]] CommandAction set_up_compare(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
