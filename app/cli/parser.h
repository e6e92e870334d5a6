#pragma once
// The parser of the program: the commands with their options, as one tree. Help, completion and the manual page are
// made from it.

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "compute/gpu/device.h"

namespace threadscape::app {

/// What the exit codes of the program mean.
inline constexpr std::string_view exit_codes =
    "0 done, 1 a check failed, 2 wrong usage, 3 the machine cannot do it, 77 the backend is absent";

/// The parser of the program with all commands and their options. Parsing writes into options that the actions own.
class Parser {
 public:
  explicit Parser(FindDevices find_devices = gpu::devices);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Parses the arguments and runs the command. Returns the exit code. Throws Error.
  int execute(int argc, const char* const* argv);

  [[nodiscard]] const CLI::App& app() const { return app_; }

 private:
  /// Throws UsageError for options of the window before another command, which would ignore them.
  void require_nothing_before_the_command() const;
  /// Throws UsageError if the first word is neither an existing file nor looks like a path: `threadscape lst` is a
  /// mistyped command, not a picture.
  void require_file_or_command() const;

  CommandAction without_command_;                     ///< The action without a command, which opens the window.
  std::map<const CLI::App*, CommandAction> actions_;  ///< The action of each command, by its parser.
  CLI::App app_{"Threadscape: parallel image and volume algorithms on CPU and GPU, live", "threadscape"};
};

}  // namespace threadscape::app
