#pragma once
// A CUDA run in parts (AlgorithmInfo::parts) is queued in batches, one per frame: each about as long as drawing can
// spare the device, so that the window stays fluid, results are seen as they grow, and short runs are one batch.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "compute/registry/algorithm.h"

namespace threadscape::app {

class PartSchedule {
 public:
  /// Of a batch; half of a frame at 60 Hz.
  static constexpr double budget_ms = 8.0;
  /// A batch is at most so many times the one before it: the time of a few parts says little about many.
  static constexpr int most_growth = 8;
  /// What would be left for a batch shorter than this share of the budget comes along.
  static constexpr double slack = 0.5;

  /// `part_ms`: what a part is thought to take; nothing: the first batch is one part, to find out.
  PartSchedule(int parts, std::optional<double> part_ms, double budget = budget_ms)
      : parts_(std::max(parts, 1)), part_ms_(part_ms), budget_(budget) {}

  /// The parts to be queued next; empty when all are.
  [[nodiscard]] PartRange next() const {
    const int left = parts_ - queued_;
    int count = 1;
    if (part_ms_) {
      const double part_ms = std::max(*part_ms_, 1e-6);
      count = std::max(static_cast<int>(std::min(budget_ / part_ms, static_cast<double>(left))), 1);
      if ((left - count) * part_ms < slack * budget_) count = left;
      if (batch_ > 0) count = static_cast<int>(std::min<std::int64_t>(count, std::int64_t{most_growth} * batch_));
    }
    count = std::min(count, left);
    return {queued_, queued_ + count};
  }
  /// What next() said is queued.
  void queued() {
    const PartRange range = next();
    batch_ = range.end - range.first;
    queued_ = range.end;
  }
  /// The last batch is done, and took so long.
  void measured(double ms) {
    total_ms_ += ms;
    if (batch_ > 0) part_ms_ = ms / batch_;
  }

  [[nodiscard]] bool all_queued() const { return queued_ >= parts_; }
  [[nodiscard]] int parts() const { return parts_; }
  /// Share of the parts that are queued: what is drawn afterwards comes behind them.
  [[nodiscard]] double share() const { return static_cast<double>(queued_) / parts_; }
  [[nodiscard]] double total_ms() const { return total_ms_; }

 private:
  int parts_;
  std::optional<double> part_ms_;
  double budget_;
  int queued_ = 0, batch_ = 0;
  double total_ms_ = 0.0;
};

/// What parts took in the last run of each algorithm and variant, for the first batch of the next one.
class PartTimes {
 public:
  /// `items`: values of input and output, to which times are taken to be proportional.
  void learn(const AlgorithmInfo* algorithm, int variant, std::int64_t items, int parts, double ms) {
    times_[{algorithm, variant}] = {std::max<std::int64_t>(items, 1), parts, ms};
  }
  /// Milliseconds of a part; nothing without a run.
  [[nodiscard]] std::optional<double> guess(const AlgorithmInfo* algorithm, int variant, std::int64_t items) const {
    const auto found = times_.find({algorithm, variant});
    if (found == times_.end()) return {};
    const Known& known = found->second;
    return known.ms / std::max(known.parts, 1) * static_cast<double>(items) / static_cast<double>(known.items);
  }

 private:
  struct Known {
    std::int64_t items = 1;
    int parts = 1;
    double ms = 0.0;
  };
  std::map<std::pair<const AlgorithmInfo*, int>, Known> times_;
};

}  // namespace threadscape::app
