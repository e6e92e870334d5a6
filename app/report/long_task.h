#pragma once
// Progress and cancellation of commands that may take long: a progress bar with the remaining time on stderr, and
// Ctrl-C as a request to stop.

#include <array>
#include <stop_token>
#include <string>
#include <thread>

#include "compute/core/progress.h"

namespace threadscape::app {

/// While an object of this class lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP requests a stop through token(),
/// and the second one ends the program (end_by_signal()). SIGTERM also ends it if it does not stop by itself within 0.7
/// s. After half a second a progress bar appears on stderr, if stderr is a terminal and `quiet` is not set. At most one
/// object may exist at a time, since signal handlers are global.
class LongTask {
 public:
  LongTask(std::string label, bool quiet);
  ~LongTask();
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] Progress& progress() { return progress_; }
  /// Returns true if one of these signals has arrived.
  [[nodiscard]] bool interrupted() const;
  /// Throws Cancelled if interrupted().
  void check() const;

 private:
  void watch(const std::stop_token& quit);
  void draw(double seconds);

  using Handler = void (*)(int);

  std::string label_;
  bool visible_;
  bool drawn_ = false;
  std::stop_source stop_;
  Progress progress_;
  std::array<Handler, 3> before_{};  ///< The handlers that the destructor restores.
  std::jthread watcher_;
};

}  // namespace threadscape::app
