#pragma once
// The time that a benchmark may take as a whole. It estimates every point from the points that were measured before,
// and says with how many samples a point fits, or that it does not.

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/bench_measure.h"

namespace threadscape::app {

/// A number by which the points of one algorithm are compared: the operations that the algorithm states, or else the
/// values of its input and output.
[[nodiscard]] double work_of(const BenchPoint& point);

class TimeBudget {
 public:
  /// `seconds` for one suite of `points` points, or for several suites, which begin_suite() starts in this order. The
  /// time begins now.
  TimeBudget(double seconds, std::size_t points);
  TimeBudget(double seconds, const std::vector<std::size_t>& points_of_suites);

  /// The next points are those of the next suite. Its part of the time that is left goes by its number of points, so
  /// that slow suites do not take the time of those behind them; what a suite does not use is left to these.
  void begin_suite();

  /// The milliseconds of one run of this point, from measured points of the same algorithm, backend and variant: from
  /// those with the same parameters and threads if there are any, by the growth of their times; otherwise the largest
  /// value that one of the others suggests. Unset if none was measured.
  [[nodiscard]] std::optional<double> estimate(const BenchPoint& point) const;
  /// Notes the milliseconds of one run of a measured point.
  void record(const BenchPoint& point, double milliseconds);

  /// The seconds that the next point may take: eight times its share of what is left, since most points take less, but
  /// of more than twice its share at most a fortieth of the whole.
  [[nodiscard]] double allowance() const;
  /// `rule` with as few samples as are necessary for a point whose runs take `milliseconds` each to stay within the
  /// allowance. Unset if not even one run does.
  [[nodiscard]] std::optional<SamplingRule> fitting(SamplingRule rule, double milliseconds) const;
  /// The next point is measured or left out: a share less for what is left.
  void next();

  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] double elapsed() const;
  /// "a budget of 20 min"
  [[nodiscard]] std::string text() const;

 private:
  struct Known {
    BenchPoint point;
    double work = 0, milliseconds = 0;
  };
  using Clock = std::chrono::steady_clock;
  double seconds_;
  std::vector<std::size_t> waiting_;  ///< The numbers of points of the suites that have not begun, the next one last.
  std::size_t left_ = 0;              ///< Points of the present suite that are neither measured nor left out.
  double suite_end_ = 0.0;            ///< Seconds after the start at which the time of the present suite is over.
  Clock::time_point start_ = Clock::now();
  std::vector<Known> known_;
};

}  // namespace threadscape::app
