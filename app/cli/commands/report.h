#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape report`: one HTML file or PDF of reports of `bench` and pictures.
[[nodiscard]] CommandAction set_up_report(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
