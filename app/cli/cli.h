#pragma once

namespace threadscape::app {

/// Parses the command line, runs one command and returns the exit code of the program. Every error is caught here, and
/// nowhere else in app/cli: it becomes one line on stderr, "threadscape: what, where, what would be accepted".
int run_command_line(int argc, const char* const* argv);

}  // namespace threadscape::app
