#pragma once

#include "app/cli/command.h"

namespace threadscape::app {

/// `threadscape grade`: judges what learners have handed in for a lesson.
[[nodiscard]] CommandAction set_up_grade(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
