#include "app/bench/time_budget.h"

#include <algorithm>
#include <cmath>

#include "app/measure/chart_text.h"

namespace threadscape::app {

namespace {

/// How many times its share a point may take, since most points take less. Beyond twice its share it takes at most a
/// part of the whole budget.
constexpr double shares_of_a_point = 8.0, shares_of_any_point = 2.0, largest_part = 1.0 / 40.0;
/// Points that every suite counts for beside its own, because suites of few points have slow ones.
constexpr std::size_t points_of_any_suite = 30;

/// Returns true if both points run the same code, perhaps on inputs of different sizes.
bool same_code(const BenchPoint& a, const BenchPoint& b) {
  return a.request.algorithm == b.request.algorithm && a.request.backend == b.request.backend &&
         a.request.variant == b.request.variant;
}

}  // namespace

double work_of(const BenchPoint& point) {
  const RunRequest& request = point.request;
  const double operations =
      request.algorithm->operations ? request.algorithm->operations(request.params, point.input) : 0.0;
  return std::max(operations > 0.0 ? operations : static_cast<double>(point.input.items() + point.output.items()), 1.0);
}

TimeBudget::TimeBudget(double seconds, std::size_t points) : TimeBudget(seconds, std::vector{points}) {
  begin_suite();
}

TimeBudget::TimeBudget(double seconds, const std::vector<std::size_t>& points_of_suites)
    : seconds_(seconds), waiting_(points_of_suites.rbegin(), points_of_suites.rend()) {}

void TimeBudget::begin_suite() {
  const auto weight = [](std::size_t points) { return static_cast<double>(points + points_of_any_suite); };
  double weights = 0.0;
  for (const std::size_t points : waiting_)
    weights += weight(points);
  left_ = waiting_.empty() ? 0 : waiting_.back();
  const double part = waiting_.empty() ? 1.0 : weight(left_) / weights;
  if (!waiting_.empty()) waiting_.pop_back();
  const double now = elapsed();
  suite_end_ = now + std::max(seconds_ - now, 0.0) * part;
}

std::optional<double> TimeBudget::estimate(const BenchPoint& point) const {
  const double work = work_of(point);
  // The known points with the same parameters and threads whose amounts of work are the nearest.
  const Known *nearest = nullptr, *second = nullptr;
  double of_others = 0.0;
  const auto distance = [work](const Known& known) { return std::abs(std::log(known.work / work)); };
  for (const Known& known : known_) {
    if (!same_code(known.point, point)) continue;
    const int threads = known.point.threads();
    if (known.point.request.params == point.request.params && threads == point.threads()) {
      if (nearest == nullptr || distance(known) < distance(*nearest)) {
        second = nearest;
        nearest = &known;
      } else if (second == nullptr || distance(known) < distance(*second)) {
        second = &known;
      }
    } else {
      const double fewer_threads = std::max(1.0, static_cast<double>(threads) / point.threads());
      of_others = std::max(of_others, known.milliseconds * work / known.work * fewer_threads);
    }
  }
  if (nearest == nullptr) return of_others > 0.0 ? std::optional(of_others) : std::nullopt;
  double growth = 1.0;
  if (second != nullptr && second->work != nearest->work)
    growth = std::clamp(std::log(nearest->milliseconds / second->milliseconds) / std::log(nearest->work / second->work),
                        1.0, 2.0);
  return nearest->milliseconds * std::pow(work / nearest->work, growth);
}

void TimeBudget::record(const BenchPoint& point, double milliseconds) {
  known_.push_back({point, work_of(point), std::max(milliseconds, 1e-6)});
}

double TimeBudget::allowance() const {
  const double remaining = std::max(std::min(seconds_, suite_end_) - elapsed(), 0.0);
  const double share = remaining / static_cast<double>(std::max<std::size_t>(left_, 1));
  return std::min(
      {remaining, shares_of_a_point * share, std::max(seconds_ * largest_part, shares_of_any_point * share)});
}

std::optional<SamplingRule> TimeBudget::fitting(SamplingRule rule, double milliseconds) const {
  const double allowed = allowance(), run = milliseconds / 1e3;
  if (run > allowed) return std::nullopt;
  const int runs = static_cast<int>(std::min(allowed / std::max(run, 1e-9), 1e9));
  if (runs < rule.warm_up_runs + rule.repetitions) {
    rule.warm_up_runs = runs > 3 ? std::min(rule.warm_up_runs, 1) : 0;
    rule.repetitions = std::clamp(runs - rule.warm_up_runs, 1, rule.repetitions);
  }
  // What a point may take at most is more than its share, so that its samples end at the share if they are many.
  const double share = allowed / shares_of_a_point;
  rule.min_seconds = std::min(rule.min_seconds, share);
  rule.max_seconds = std::min(rule.max_seconds, std::max(share, rule.min_seconds));
  return rule;
}

void TimeBudget::next() {
  if (left_ > 1) --left_;
}

double TimeBudget::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string TimeBudget::text() const {
  return "a budget of " + (seconds_ < 60.0 ? axis_text(seconds_) + " s" : axis_text(seconds_ / 60.0) + " min");
}

}  // namespace threadscape::app
