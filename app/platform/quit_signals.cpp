#include "app/platform/quit_signals.h"

#include <signal.h>

#include <array>

namespace threadscape::app {

namespace {

constexpr std::array quitting{SIGTERM, SIGHUP, SIGINT};

volatile sig_atomic_t first_signal = 0;

void remember(int signal) {
  if (first_signal == 0) first_signal = signal;
}

void set_actions(void (*action)(int)) {
  struct sigaction wanted {};
  wanted.sa_handler = action;
  wanted.sa_flags = static_cast<int>(SA_RESETHAND);  // A second signal ends the program at once.
  sigemptyset(&wanted.sa_mask);
  for (const int signal : quitting)
    sigaction(signal, &wanted, nullptr);
}

}  // namespace

QuitSignals::QuitSignals() {
  first_signal = 0;
  set_actions(remember);
}

QuitSignals::~QuitSignals() {
  set_actions(SIG_DFL);
}

int QuitSignals::arrived() const {
  return first_signal;
}

}  // namespace threadscape::app
