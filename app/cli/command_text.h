#pragma once
// The commands with their options and examples as texts, for the manual page and `threadscape list --commands`.

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace threadscape::app {

/// The parsers of the commands, in the order of the help.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& program);
/// What follows the name of the command: " algorithm [input...] [options]".
[[nodiscard]] std::string synopsis_of(const CLI::App& command);
/// "-o, --output FILE" of an option, or the name of a positional.
[[nodiscard]] std::string term_of(const CLI::Option& option);
/// What an option does, with its default, as a sentence.
[[nodiscard]] std::string explanation_of(const CLI::Option& option);
/// The examples in the footer of a command, without the spaces before them.
[[nodiscard]] std::vector<std::string> examples_of(const CLI::App& command);
/// The exit codes of the program with their meanings.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> exit_code_rows();

}  // namespace threadscape::app
