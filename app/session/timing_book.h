#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>

#include "compute/core/timings.h"

namespace threadscape::app {

/// Timings of the current algorithm and picture. The history keeps every run. The statistics keep only the runs with
/// the latest parameters, each backend, variant and number of threads apart, so that a median never mixes different
/// work.
class TimingBook {
 public:
  void push(const TimingSample& sample);
  /// Clears the statistics and keeps the history. Called when parameters have changed.
  void start_statistics();
  void clear();

  [[nodiscard]] const TimingHistory& history(Backend backend) const { return history_[index(backend)]; }
  /// Those of the variant and the threads with which the backend ran last.
  [[nodiscard]] const TimingHistory& statistics(Backend backend) const;
  /// Those of one variant of a backend on a number of threads; null before its first run.
  [[nodiscard]] const TimingHistory* statistics(Backend backend, int variant, int threads) const;
  /// Those of one variant of a backend on the threads with which the backend ran last; null before its first run.
  [[nodiscard]] const TimingHistory* variant_statistics(Backend backend, int variant) const;
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// The most recent sample of all backends; null before the first run.
  [[nodiscard]] const TimingSample* latest() const { return runs_ > 0 ? &latest_ : nullptr; }

 private:
  static std::size_t index(Backend backend) { return static_cast<std::size_t>(backend); }
  std::array<TimingHistory, 3> history_;
  /// By backend, variant and threads. What has run before the parameters changed is kept, without samples.
  std::map<std::tuple<Backend, int, int>, TimingHistory> statistics_;
  std::array<int, 3> variant_{-1, -1, -1};
  std::array<int, 3> threads_{-1, -1, -1};
  TimingSample latest_;
  std::uint64_t runs_ = 0;
};

}  // namespace threadscape::app
