#include "app/report/long_task.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "app/report/end_signals.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

volatile std::sig_atomic_t arrived = 0;

constexpr std::array interrupting{SIGINT, SIGTERM, SIGHUP};

void on_signal(int signal) {
  arrived = signal;
  std::signal(signal, end_by_signal);  // A second Ctrl-C ends the program at once.
}

/// Time for a run to stop by itself after SIGTERM. What sends it, a logout for example, does not wait for long.
constexpr auto patience = std::chrono::milliseconds(700);
constexpr auto tick = std::chrono::milliseconds(100);
constexpr double quiet_seconds = 0.5;

std::string duration_text(double seconds) {
  if (seconds < 60.0) return std::to_string(static_cast<int>(std::ceil(seconds))) + " s";
  const auto minutes = static_cast<int>(seconds / 60.0);
  return std::to_string(minutes) + " min " + std::to_string(static_cast<int>(seconds) % 60) + " s";
}

}  // namespace

LongTask::LongTask(std::string label, bool quiet, std::chrono::milliseconds line_every)
    : label_(std::move(label)), visible_(!quiet), on_terminal_(isatty(STDERR_FILENO) == 1), line_every_(line_every) {
  arrived = 0;
  for (std::size_t i = 0; i < interrupting.size(); ++i)
    before_[i] = std::signal(interrupting[i], on_signal);
  if (before_.back() == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  watcher_ = std::jthread([this](const std::stop_token& quit) { watch(quit); });
}

LongTask::~LongTask() {
  watcher_.request_stop();
  watcher_.join();
  for (std::size_t i = 0; i < interrupting.size(); ++i)
    std::signal(interrupting[i], before_[i]);
  erase();
}

void LongTask::erase() const {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

bool LongTask::interrupted() const {
  return arrived != 0;
}

void LongTask::check() const {
  if (interrupted()) throw Cancelled();
}

void LongTask::watch(const std::stop_token& quit) {
  const auto start = std::chrono::steady_clock::now();
  auto asked = start, printed = start;
  while (!quit.stop_requested()) {
    std::this_thread::sleep_for(drawn_ ? tick : tick / 10);
    if (interrupted() && stop_.request_stop()) asked = std::chrono::steady_clock::now();
    if (arrived == SIGTERM && std::chrono::steady_clock::now() - asked > patience) end_by_signal(SIGTERM);
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> elapsed = now - start;
    if (!visible_) continue;
    if (on_terminal_) {
      if (elapsed.count() > quiet_seconds) draw(elapsed.count());
    } else if (now - printed >= line_every_) {
      printed = now;
      print_line(elapsed.count());
    }
  }
}

void LongTask::print_line(double seconds) {
  const double done = std::clamp(progress_.done(), 0.0, 1.0);
  const std::string left = done > 0.01 ? ", " + duration_text(seconds / done - seconds) + " left" : std::string{};
  std::fprintf(stderr, "threadscape: %d %% done after %s%s (%s)\n", static_cast<int>(done * 100.0),
               duration_text(seconds).c_str(), left.c_str(), label_.c_str());
  ++lines_;
}

void LongTask::draw(double seconds) {
  constexpr int width = 24;
  const double done = std::clamp(progress_.done(), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(done * width);
  std::string line = label_ + " [" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
  line += std::to_string(static_cast<int>(done * 100.0)) + " %";
  // Below one percent, the estimate of the remaining time would be a guess.
  if (done > 0.01) line += ", " + duration_text(seconds / done - seconds) + " left";
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace threadscape::app
