#pragma once
// What a long command shows and obeys on a terminal: a progress bar with the remaining time, and Ctrl-C. Also plain
// tables.

#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compute/core/progress.h"

namespace threadscape::app {

/// While it lives, Ctrl-C (and SIGTERM) asks its stop token to stop; a second one ends the program as usual. After half
/// a second a progress bar appears on stderr, if that is a terminal and `quiet` is not set. One at a time.
class LongTask {
 public:
  LongTask(std::string label, bool quiet);
  ~LongTask();
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] Progress& progress() { return progress_; }
  /// Throws Cancelled after Ctrl-C.
  void check() const;

 private:
  void watch(const std::stop_token& quit);
  void draw(double seconds);

  std::string label_;
  bool visible_;
  bool drawn_ = false;
  std::stop_source stop_;
  Progress progress_;
  std::jthread watcher_;
};

/// Columns padded with spaces, right-aligned from column `numbers_from` on. The last cell of a row that is shorter than
/// the first one may run over the columns to its right.
[[nodiscard]] std::string format_table(const std::vector<std::vector<std::string>>& rows,
                                       std::size_t numbers_from = std::string::npos);
/// `digits` significant digits, never an exponent: 0.0123, 4.56, 1235.
[[nodiscard]] std::string format_number(double value, int digits = 3);
/// "a | b | c"
template <class Texts>
[[nodiscard]] std::string joined(const Texts& texts, std::string_view separator) {
  std::string all;
  for (const auto& text : texts)
    all += (all.empty() ? std::string() : std::string(separator)) + std::string(text);
  return all;
}
/// "512 MiB", "1.5 GiB".
[[nodiscard]] std::string format_bytes(std::size_t bytes);

}  // namespace threadscape::app
