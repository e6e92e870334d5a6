#include "app/cli/cli.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <span>
#include <string>

#include "app/cli/commands/completion.h"
#include "app/cli/parser.h"
#include "compute/core/errors.h"
#include "compute/core/printable.h"

namespace threadscape::app {

namespace {

/// Prints the error as one line on stderr and returns `code` as the exit code.
int report(const char* what, ExitCode code) {
  std::string line = what;
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  print(stderr, "threadscape: " + line + "\n");
  return static_cast<int>(code);
}

}  // namespace

int run_command_line(int argc, const char* const* argv, FindDevices find_devices) try {
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  // The words to complete may look like options, so they do not go through the parser.
  if (words.size() > 2 && words[1] == completion_command && words[2] == completion_words_option)
    return print_completions({words.begin() + 3, words.end()});
  return Parser(find_devices).execute(argc, argv);
} catch (const Error& error) {
  return report(error.what(), error.code());
} catch (const std::bad_alloc&) {
  return report("out of memory: a smaller input may fit", ExitCode::environment);
} catch (const std::exception& error) {
  return report(error.what(), ExitCode::environment);
}

}  // namespace threadscape::app
