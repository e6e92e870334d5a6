#pragma once

#include <string>

#include "app/cli/command.h"

namespace threadscape::app {

/// The manual page of the program in the language of troff (man(7)), made from the tables that --help is made from.
[[nodiscard]] std::string manual_page();

/// `threadscape man`, which prints the manual page.
[[nodiscard]] CommandAction set_up_man(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
