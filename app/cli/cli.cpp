#include "app/cli/cli.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <string>

#include "app/cli/command.h"
#include "app/cli/commands/view.h"
#include "compute/core/errors.h"
#include "generated/build_info.h"

namespace threadscape::app {

namespace {

/// The names of all commands as text: "view, run, render, list, info, bench or verify".
std::string command_list() {
  std::string text;
  for (const Command& command : commands()) {
    const bool last = &command == &commands().back();
    text += (text.empty() ? "" : last ? " or " : ", ") + std::string(command.name);
  }
  return text;
}

/// The parser of the program with all commands and their options. Parsing writes into options that the actions own.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "threadscape " + std::string(build_info::version) + " (" +
                                           std::string(build_info::git_hash) + ")");
    app_.footer(
        "Without a command the window opens, with PICTURE if one is given.\n"
        "Exit codes: 0 done, 1 a check failed, 2 wrong usage, 3 the machine cannot do it, 77 the backend is absent.\n\n"
        "Examples:\n"
        "  threadscape photo.jpg\n"
        "  threadscape run sobel photo.jpg -o edges.png --backend openmp\n"
        "  threadscape run convolution --help");
    without_command_ = set_up_view(app_);
    for (const Command& command : commands()) {
      CLI::App* app = app_.add_subcommand(std::string(command.name), std::string(command.summary));
      actions_[app] = command.set_up(*app);
    }
  }
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  int execute(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& help) {
      // For CLI11, --help and --version are errors whose text goes to stdout.
      return app_.exit(help, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
      const auto chosen = app_.get_subcommands();
      const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
      throw UsageError(std::string(error.what()) + " (see threadscape" + command + " --help)");
    }
    if (const auto chosen = app_.get_subcommands(); !chosen.empty()) {
      require_nothing_before_the_command();
      return actions_.at(chosen.front())();
    }
    require_file_or_command();
    return without_command_();
  }

 private:
  /// Throws UsageError for options of the window before another command, which would ignore them.
  void require_nothing_before_the_command() const {
    for (const CLI::Option* option : app_.get_options())
      if (option->count() > 0)
        throw UsageError("'" + option->get_name() + "' stands before the command: its options go behind it");
  }

  /// Throws UsageError if the first word is neither an existing file nor looks like a path: `threadscape lst` is a
  /// mistyped command, not a picture.
  void require_file_or_command() const {
    const CLI::Option* picture = app_.get_option("picture");
    if (picture->count() == 0) return;
    const auto name = picture->as<std::string>();
    std::error_code error;
    if (name.empty() || name.find_first_of("./") != std::string::npos || std::filesystem::exists(name, error)) return;
    throw UsageError("'" + name + "' is neither a command nor a file: " + command_list());
  }

  CommandAction without_command_;                     ///< The action without a command, which opens the window.
  std::map<const CLI::App*, CommandAction> actions_;  ///< The action of each command, by its parser.
  CLI::App app_{"Threadscape: parallel image and volume algorithms on CPU and GPU, live", "threadscape"};
};

/// Prints the error as one line on stderr and returns `code` as the exit code.
int report(const char* what, ExitCode code) {
  std::string line = what;
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  std::fprintf(stderr, "threadscape: %s\n", line.c_str());
  return static_cast<int>(code);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) try {
  CommandLine command_line;
  return command_line.execute(argc, argv);
} catch (const Error& error) {
  return report(error.what(), error.code());
} catch (const std::bad_alloc&) {
  return report("out of memory: a smaller input may fit", ExitCode::environment);
} catch (const std::exception& error) {
  return report(error.what(), ExitCode::environment);
}

}  // namespace threadscape::app
