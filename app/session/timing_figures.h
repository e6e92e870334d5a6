#pragma once
// The time of a backend and its factor to serial that cards, status line and caption show. Both are of medians, so that
// they never contradict each other.

#include "app/session/timing_book.h"

namespace threadscape::app {

/// The median in milliseconds of a backend's runs with the latest parameters; while a warm-up is the only one, its
/// time; 0 without any.
[[nodiscard]] inline double shown_ms(const TimingBook& book, Backend backend) {
  const TimingHistory& runs = book.statistics(backend);
  if (const Summary summary = runs.summary(); summary.count > 0) return summary.median;
  return runs.size() > 0 ? runs[runs.size() - 1].times.total_ms() : 0.0;
}

/// How many times as fast as serial a backend is, by the medians of both; 0 while one of the two has none.
[[nodiscard]] inline double factor_to_serial(const TimingBook& book, Backend backend) {
  const Summary serial = book.statistics(Backend::serial).summary(), own = book.statistics(backend).summary();
  return serial.count > 0 && own.count > 0 && own.median > 0 ? serial.median / own.median : 0.0;
}

}  // namespace threadscape::app
