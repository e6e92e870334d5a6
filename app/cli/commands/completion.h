#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"

namespace threadscape::app {

inline constexpr std::string_view completion_command = "completion";
/// `threadscape completion --words WORD...`, which the scripts of the shells call.
inline constexpr std::string_view completion_words_option = "--words";

/// What the last word of a command line can become.
struct Completions {
  struct Candidate {
    std::string word, help;
  };
  std::vector<Candidate> candidates;
  bool files = false;  ///< File names are accepted, too.
};

/// Completes the last of the words that follow `threadscape`: commands, options, algorithms, parameters and values.
/// Everything comes from the tables that the help is made from.
[[nodiscard]] Completions complete(const std::vector<std::string>& words);

/// Prints the completions for the shells: a line for each candidate, with its help behind a tab, and a line ":files" if
/// file names are accepted. Returns the exit code.
int print_completions(const std::vector<std::string>& words);

/// `threadscape completion`, which prints the script for a shell.
[[nodiscard]] CommandAction set_up_completion(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
