#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "compute/core/timings.h"

namespace threadscape::app {

/// Timings of the current algorithm and picture for each backend. The history keeps every run. The statistics keep only
/// the runs with the latest parameters, so that a median never mixes different work.
class TimingBook {
 public:
  void push(const TimingSample& sample);
  /// Clears the statistics and keeps the history. Called when parameters have changed.
  void start_statistics();
  void clear();

  [[nodiscard]] const TimingHistory& history(Backend backend) const { return history_[index(backend)]; }
  [[nodiscard]] const TimingHistory& statistics(Backend backend) const { return statistics_[index(backend)]; }
  /// Statistics of one variant of a backend, which are kept while other variants run; null before its first run.
  [[nodiscard]] const TimingHistory* variant_statistics(Backend backend, int variant) const;
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// The most recent sample of all backends; null before the first run.
  [[nodiscard]] const TimingSample* latest() const { return runs_ > 0 ? &latest_ : nullptr; }

 private:
  static std::size_t index(Backend backend) { return static_cast<std::size_t>(backend); }
  std::array<TimingHistory, 3> history_;
  std::array<TimingHistory, 3> statistics_;
  std::map<std::pair<Backend, int>, TimingHistory> variant_statistics_;
  std::array<int, 3> variant_{-1, -1, -1};
  std::array<int, 3> threads_{-1, -1, -1};
  TimingSample latest_;
  std::uint64_t runs_ = 0;
};

}  // namespace threadscape::app
