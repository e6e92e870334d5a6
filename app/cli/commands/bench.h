#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape bench`: measures algorithms or suites (app/bench/bench.h).
[[nodiscard]] CommandAction set_up_bench(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
