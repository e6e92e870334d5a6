#pragma once

namespace threadscape::app {

/// While it exists, the signals that ask a program to end (SIGTERM at logout, SIGHUP when its terminal is closed,
/// SIGINT for Ctrl+C) are remembered instead of ending it, so that the window can save what it has to. There is one at
/// a time.
class QuitSignals {
 public:
  QuitSignals();
  /// Restores the default actions.
  ~QuitSignals();
  QuitSignals(const QuitSignals&) = delete;
  QuitSignals& operator=(const QuitSignals&) = delete;

  /// The signal that has arrived first; 0 if none has.
  [[nodiscard]] int arrived() const;
};

}  // namespace threadscape::app
