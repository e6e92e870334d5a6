#pragma once

#include <cstddef>
#include <vector>

#include "app/session/work.h"

namespace threadscape::app {

/// A series of runs for the timings: the chosen work and others, several times each. The chosen one comes last, so that
/// its result is on display when the series ends.
class Comparison {
 public:
  void begin(const Work& chosen, const std::vector<Work>& others, int repetitions) {
    left_.clear();
    const auto add = [&](const Work& work) { left_.insert(left_.end(), static_cast<std::size_t>(repetitions), work); };
    add(chosen);
    for (const Work& work : others)
      add(work);
  }
  void end() { left_.clear(); }
  [[nodiscard]] bool active() const { return !left_.empty(); }
  /// The work that was chosen when the series began. Only while active().
  [[nodiscard]] const Work& chosen() const { return left_.front(); }
  /// The work to run now. Only while active().
  [[nodiscard]] const Work& next() const { return left_.back(); }
  /// Takes note of a run that was measured. Returns whether it was next(), and the series goes on.
  bool measured(const Work& work) {
    if (!active() || next() != work) return false;
    left_.pop_back();
    return active();
  }

 private:
  std::vector<Work> left_;  ///< Last first.
};

}  // namespace threadscape::app
