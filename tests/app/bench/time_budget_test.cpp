// Tests of the time budget of a benchmark: estimates from measured points, and what fits into the time that is left.

#include <gtest/gtest.h>

#include <algorithm>

#include "app/bench/time_budget.h"
#include "app/session/run_options.h"
#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

/// A point of the median filter on a grey picture of side x side pixels.
BenchPoint median_point(std::int64_t side, const char* size = "3", int threads = 1) {
  const AlgorithmInfo& median = find_algorithm("median");
  BenchPoint point{.request = {.algorithm = &median,
                               .params = make_params(median, {.sets = {{"size", size}}}),
                               .backend = Backend::openmp,
                               .threads = threads},
                   .input = Shape::image(Element::u8, 1, side, side),
                   .output = Shape::image(Element::u8, 1, side, side)};
  return point;
}

TEST(TimeBudget, NothingIsKnownAtFirst) {
  const TimeBudget budget(60.0, 10);
  EXPECT_FALSE(budget.estimate(median_point(64)));
}

TEST(TimeBudget, EstimatesGrowWithTheWorkOfTheSameParameters) {
  TimeBudget budget(60.0, 10);
  budget.record(median_point(100), 2.0);
  EXPECT_NEAR(budget.estimate(median_point(200)).value_or(0), 8.0, 1e-9) << "four times the pixels";
  // A second size shows that the time grows with the power 1.5 of the pixels: 2 ms * 4^1.5 = 16 ms.
  budget.record(median_point(200), 16.0);
  EXPECT_NEAR(budget.estimate(median_point(400)).value_or(0), 16.0 * 8.0, 1e-6);
}

TEST(TimeBudget, OtherParametersAndThreadsGiveTheLargestSuggestion) {
  TimeBudget budget(60.0, 10);
  budget.record(median_point(100, "3"), 2.0);
  budget.record(median_point(100, "5", 2), 3.0);
  // On one thread instead of two, the second point would take up to twice as long.
  EXPECT_NEAR(budget.estimate(median_point(100, "7")).value_or(0), 6.0, 1e-9);
  BenchPoint serial = median_point(100);
  serial.request.backend = Backend::serial;
  EXPECT_FALSE(budget.estimate(serial)) << "another backend says nothing";
}

TEST(TimeBudget, AllowanceIsSomeSharesButAtMostAPartOfTheWhole) {
  EXPECT_NEAR(TimeBudget(1000.0, 1000).allowance(), 8.0, 0.1) << "eight shares of a second";
  EXPECT_NEAR(TimeBudget(1000.0, 100).allowance(), 25.0, 0.1) << "a fortieth of the whole, less than 80 s";
  EXPECT_NEAR(TimeBudget(1000.0, 10).allowance(), 200.0, 0.1) << "two shares of a few points";
  EXPECT_EQ(TimeBudget(1e-9, 1).allowance(), 0.0);
}

// Of 1000 s, the first of two suites with 30 and 70 points gets 1000 (30 + 30) / (60 + 100) = 375 s, and the second one
// all that is left.
TEST(TimeBudget, SuitesHaveParts) {
  TimeBudget budget(1000.0, std::vector<std::size_t>{30, 70});
  budget.begin_suite();
  EXPECT_NEAR(budget.allowance(), std::max(1000.0 / 40, 2 * 375.0 / 30), 0.1) << "less than eight shares";
  budget.begin_suite();
  EXPECT_NEAR(budget.allowance(), 2 * 1000.0 / 70, 0.1);
  EXPECT_EQ(TimeBudget(1000.0, std::vector<std::size_t>{5}).allowance(), 0.0) << "no suite has begun";
}

TEST(TimeBudget, SlowPointsGetFewerSamplesOrNone) {
  const TimeBudget budget(1000.0, 1000);  // A point may take eight seconds.
  const SamplingRule rule{.repetitions = 15, .min_seconds = 0.3, .max_seconds = 20.0, .warm_up_runs = 3};
  const auto fast = budget.fitting(rule, 10.0);
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->repetitions, 15);
  EXPECT_EQ(fast->warm_up_runs, 3);
  EXPECT_NEAR(fast->max_seconds, 1.0, 0.1) << "its share";
  const auto slow = budget.fitting(rule, 1000.0);
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->warm_up_runs, 1);
  EXPECT_EQ(slow->repetitions, 6) << "seven runs of a second fit into less than eight seconds";
  const auto single = budget.fitting(rule, 7000.0);
  ASSERT_TRUE(single);
  EXPECT_EQ(single->warm_up_runs, 0);
  EXPECT_EQ(single->repetitions, 1);
  EXPECT_FALSE(budget.fitting(rule, 9000.0));
}

TEST(TimeBudget, TextNamesTheWholeTime) {
  EXPECT_EQ(TimeBudget(1200.0, 1).text(), "a budget of 20 min");
  EXPECT_EQ(TimeBudget(45.0, 1).text(), "a budget of 45 s");
}

}  // namespace
}  // namespace threadscape::app
