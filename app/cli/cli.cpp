#include "app/cli/cli.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
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

/// Throws EnvironmentError if standard output has not taken all that was printed, for example because the disk is full.
void require_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  // Where an earlier call has failed, its reason is no longer known.
  throw EnvironmentError(std::string("cannot write to standard output: ") +
                         (errno != 0 ? std::strerror(errno) : "the disk is full, or nobody reads the pipe"));
}

}  // namespace

int run_command_line(int argc, const char* const* argv, FindDevices find_devices) try {
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  // The words to complete may look like options, so they do not go through the parser.
  const bool completes = words.size() > 2 && words[1] == completion_command && words[2] == completion_words_option;
  const int code =
      completes ? print_completions({words.begin() + 3, words.end()}) : Parser(find_devices).execute(argc, argv);
  require_printed();
  return code;
} catch (const Error& error) {
  return report(error.what(), error.code());
} catch (const std::bad_alloc&) {
  return report("out of memory: a smaller input may fit", ExitCode::environment);
} catch (const std::exception& error) {
  return report(error.what(), ExitCode::environment);
}

}  // namespace threadscape::app
