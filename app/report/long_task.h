#pragma once
// Progress and cancellation of commands that may take long: a progress bar with the remaining time on stderr, or a line
// every ten seconds where that is no terminal, and Ctrl-C as a request to stop.

#include <array>
#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "compute/core/progress.h"

namespace threadscape::app {

/// While an object of this class lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP requests a stop through token(),
/// and the second one ends the program (end_by_signal()). SIGTERM also ends it if it does not stop by itself within 0.7
/// s. Unless `quiet` is set, a progress bar appears on stderr after half a second if that is a terminal, and a line
/// after each `line_every` if it is none, so that a log shows that the command lives. At most one object may exist at a
/// time, since signal handlers are global.
class LongTask {
 public:
  LongTask(std::string label, bool quiet, std::chrono::milliseconds line_every = std::chrono::seconds(10));
  ~LongTask();
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] Progress& progress() { return progress_; }
  /// Returns true if one of these signals has arrived.
  [[nodiscard]] bool interrupted() const;
  /// The number of lines printed where stderr is no terminal.
  [[nodiscard]] int lines() const { return lines_; }
  /// Takes the progress bar off the terminal, so that a line of text can follow. It comes back by itself.
  void erase() const;
  /// Throws Cancelled if interrupted().
  void check() const;

 private:
  void watch(const std::stop_token& quit);
  void draw(double seconds);
  void print_line(double seconds);

  using Handler = void (*)(int);

  std::string label_;
  bool visible_, on_terminal_;
  std::chrono::milliseconds line_every_;
  std::atomic<int> lines_ = 0;
  std::atomic<bool> drawn_ = false;
  std::stop_source stop_;
  Progress progress_;
  std::array<Handler, 3> before_{};  ///< The handlers that the destructor restores.
  std::jthread watcher_;
};

}  // namespace threadscape::app
