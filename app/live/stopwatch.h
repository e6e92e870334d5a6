#pragma once

#include <chrono>

namespace threadscape::app {

/// Measures wall time from its construction, or the last restart().
class Stopwatch {
 public:
  void restart() { start_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace threadscape::app
