#pragma once

#include <chrono>

namespace threadscape::app {

using Clock = std::chrono::steady_clock;

/// Milliseconds since a moment.
[[nodiscard]] inline double milliseconds_since(Clock::time_point moment) {
  return std::chrono::duration<double, std::milli>(Clock::now() - moment).count();
}

}  // namespace threadscape::app
