#pragma once
// The commands of the program. A new command takes a pair of files in app/cli/commands/ and a row in commands.cpp. The
// parser, `threadscape --help` and the error messages are made from the rows.

#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}
namespace threadscape::gpu {
class Devices;
}

namespace threadscape::app {

/// Runs a command with the options that were parsed. Returns the exit code; throws Error.
using CommandAction = std::function<int()>;

/// Gives the devices that --device chooses from, which are found at the first call: that takes a fraction of a second.
using FindDevices = gpu::Devices& (*)();

struct Command {
  std::string_view name;     ///< The word after `threadscape`.
  std::string_view summary;  ///< One line for `threadscape --help`.
  /// Declares the command's options on `app` and returns what runs the command after parsing. Parsing writes into
  /// options that the returned function owns, so it must live as long as `app`.
  CommandAction (*set_up)(CLI::App& app, FindDevices find_devices);
};

/// All commands, in the order of the help.
[[nodiscard]] std::span<const Command> commands();

}  // namespace threadscape::app
