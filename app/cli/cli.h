#pragma once

namespace threadscape::app {

/// Parses argv, runs one command and returns the exit code. The only place where errors are caught: each becomes one
/// line on stderr, "threadscape: what, where, what would be accepted".
int run_command_line(int argc, const char* const* argv);

}  // namespace threadscape::app
