#pragma once
// How a CUDA run that consists of parts (AlgorithmInfo::parts) is cut into batches, one per frame. A batch takes about
// as long as drawing can spare the device: the window stays fluid, results are seen while they grow, and a short run is
// one batch.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/work.h"
#include "compute/core/params.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

class PartSchedule {
 public:
  /// Milliseconds that a batch shall take: half of a frame at 60 Hz.
  static constexpr double budget_ms = 8.0;
  /// A batch has at most this many times the parts of the one before it, since the time of a few parts says little
  /// about that of many.
  static constexpr int max_growth = 8;
  /// If the parts behind a batch would take less than this share of the budget, they join it.
  static constexpr double slack = 0.5;

  /// `part_ms` is an estimate of the milliseconds of one part; without it the first batch is one part, to find out.
  /// `budget` is in milliseconds.
  PartSchedule(int parts, std::optional<double> part_ms, double budget = budget_ms)
      : parts_(std::max(parts, 1)), part_ms_(part_ms), budget_(budget) {}

  /// The parts of the next batch; an empty range when all parts are queued.
  [[nodiscard]] PartRange next() const {
    const int left = parts_ - queued_;
    int count = 1;
    if (part_ms_) {
      const double part_ms = std::max(*part_ms_, 1e-6);
      count = std::max(static_cast<int>(std::min(budget_ / part_ms, static_cast<double>(left))), 1);
      if ((left - count) * part_ms < slack * budget_) count = left;
      if (batch_ > 0) count = static_cast<int>(std::min<std::int64_t>(count, std::int64_t{max_growth} * batch_));
    }
    count = std::min(count, left);
    return {queued_, queued_ + count};
  }
  /// Takes note that the parts of next() were queued.
  void queued() {
    const PartRange range = next();
    batch_ = range.end - range.first;
    queued_ = range.end;
  }
  /// Takes note that the last queued batch is done and took `ms` milliseconds of the device.
  void measured(double ms) {
    total_ms_ += ms;
    if (batch_ > 0) part_ms_ = ms / batch_;
  }

  [[nodiscard]] bool all_queued() const { return queued_ >= parts_; }
  [[nodiscard]] int parts() const { return parts_; }
  /// Share of the parts that are queued, 0..1. What is drawn after the call shows them, since the device draws after
  /// it has computed them.
  [[nodiscard]] double share() const { return static_cast<double>(queued_) / parts_; }
  /// Milliseconds of all batches that are done.
  [[nodiscard]] double total_ms() const { return total_ms_; }

 private:
  int parts_;
  std::optional<double> part_ms_;
  double budget_;
  int queued_ = 0, batch_ = 0;
  double total_ms_ = 0.0;
};

/// Times of the parts in the last run of each algorithm, variant and combination of choices: estimates for the first
/// batch of the next run. Choices are told apart because they decide what a part does: in seam carving with one launch
/// for each row of the picture, a seam of path=dp takes many times as long as one of path=greedy.
class PartTimes {
 public:
  /// Stores that all `parts` of a run took `ms` milliseconds. `items` is the number of values of input and output, to
  /// which times are taken to be proportional.
  void learn(const Work& work, std::int64_t items, int parts, double ms) {
    times_[key_of(work)] = {std::max<std::int64_t>(items, 1), parts, ms};
  }
  /// Estimated milliseconds of one part; nothing if this algorithm and variant have not run yet with these choices.
  [[nodiscard]] std::optional<double> guess(const Work& work, std::int64_t items) const {
    const auto found = times_.find(key_of(work));
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
  using Key = std::tuple<const AlgorithmInfo*, int, std::vector<int>>;

  /// The algorithm, the variant, and for each parameter that is a switch, one of several names, or a text: its value,
  /// where a text counts as 1 and no text as 0.
  static Key key_of(const Work& work) {
    std::vector<int> choices;
    for (const FieldRef& field : work.params.fields()) {
      if (const auto* flag = std::get_if<BoolValue>(&field.value)) choices.push_back(*flag->value ? 1 : 0);
      if (const auto* choice = std::get_if<ChoiceValue>(&field.value)) choices.push_back(choice->get());
      if (const auto* text = std::get_if<TextValue>(&field.value)) choices.push_back(text->value->empty() ? 0 : 1);
    }
    return {work.algorithm, work.variant, std::move(choices)};
  }

  std::map<Key, Known> times_;
};

}  // namespace threadscape::app
