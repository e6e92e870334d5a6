#include "app/cli/parser.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "app/cli/commands/view.h"
#include "compute/core/build_info.h"
#include "compute/core/errors.h"
#include "compute/core/suggestion.h"

namespace threadscape::app {

namespace {

/// The exception for arguments of a command that it does not know: "run does not know '--bakend': did you mean
/// --backend?". `app` is the parser of the command, or that of the program.
UsageError unknown_arguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::string list;
  for (const std::string& argument : arguments)
    list += (list.empty() ? "'" : " ") + argument;
  const auto option = std::ranges::find_if(arguments, [](const std::string& word) { return word.starts_with("-"); });
  std::string near;
  if (option != arguments.end()) {
    std::vector<std::string> names;
    for (const CLI::Option* known : app.get_options())
      for (const std::string& name : known->get_lnames())
        names.push_back("--" + name);
    near =
        suggestion(option->substr(0, option->find('=')), {std::vector<std::string_view>(names.begin(), names.end())});
  }
  const std::string command = app.get_parent() == nullptr ? "" : " " + app.get_name();
  return UsageError("threadscape" + command + " does not take " + list + "': " + (near.empty() ? "" : near + " ") +
                    "(see threadscape" + command + " --help)");
}

}  // namespace

Parser::Parser(FindDevices find_devices) {
  app_.require_subcommand(0, 1);
  app_.set_version_flag(
      "--version", "threadscape " + std::string(build_info::version) + " (" + std::string(build_info::git_hash) + ")");
  app_.footer(
      "Without a command the window opens, with PICTURE if one is given.\n"
      "Exit codes: " +
      std::string(exit_codes) +
      ".\n\n"
      "Examples:\n"
      "  threadscape photo.jpg\n"
      "  threadscape evening.threadscape.json\n"
      "  threadscape run sobel photo.jpg -o edges.png --backend openmp\n"
      "  threadscape run convolution --help");
  without_command_ = set_up_view(app_, find_devices);
  for (const Command& command : commands()) {
    CLI::App* app = app_.add_subcommand(std::string(command.name), std::string(command.summary));
    actions_[app] = command.set_up(*app, find_devices);
  }
}

int Parser::execute(int argc, const char* const* argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::Success& help) {
    // For CLI11, --help and --version are errors whose text goes to stdout.
    return app_.exit(help, std::cout, std::cerr);
  } catch (const CLI::ExtrasError&) {
    const auto chosen = app_.get_subcommands();
    if (chosen.empty()) require_file_or_command();
    throw unknown_arguments(chosen.empty() ? app_ : *chosen.front(), app_.remaining(/*recurse=*/true));
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

void Parser::require_nothing_before_the_command() const {
  for (const CLI::Option* option : app_.get_options())
    if (option->count() > 0)
      throw UsageError("'" + option->get_name() + "' stands before the command: its options go behind it");
}

void Parser::require_file_or_command() const {
  const CLI::Option* picture = app_.get_option("picture");
  if (picture->count() == 0) return;
  for (const std::string& name : picture->results()) {
    std::error_code error;
    if (name.empty() || name.find_first_of("./") != std::string::npos || std::filesystem::exists(name, error)) continue;
    std::vector<std::string_view> names;
    for (const Command& command : commands())
      names.push_back(command.name);
    throw UsageError("'" + name + "' is neither a command nor a file: " + suggestion_and_list(name, names));
  }
}

}  // namespace threadscape::app
