#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape lesson`: begins, checks and exports lessons.
[[nodiscard]] CommandAction set_up_lesson(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
