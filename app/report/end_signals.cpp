#include "app/report/end_signals.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "compute/io/file_writer.h"

namespace threadscape::app {

namespace {

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // Nobody is left to be told.
}

}  // namespace

void end_by_signal(int signal) {
  io::remove_temporaries();
  if (signal == SIGHUP) say("threadscape: ended by SIGHUP\n");
  if (signal == SIGTERM) say("threadscape: ended by SIGTERM\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void prepare_end_signals() {
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, end_by_signal);
  if (std::signal(SIGHUP, end_by_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  // A handler that does nothing, because programs would inherit that a signal is ignored.
  for (const int signal : {SIGPIPE, SIGXFSZ})
    std::signal(signal, [](int) {});
}

}  // namespace threadscape::app
