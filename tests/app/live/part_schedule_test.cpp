// Tests how a CUDA run in parts is divided into batches, with invented times and without a device.

#include "app/live/part_schedule.h"

#include <gtest/gtest.h>

#include <vector>

namespace threadscape::app {
namespace {

/// Sizes of the batches when a part takes what `cost(i)` says.
template <class Cost>
std::vector<int> batches(PartSchedule schedule, const Cost& cost) {
  std::vector<int> sizes;
  int next = 0;
  while (!schedule.all_queued()) {
    const PartRange range = schedule.next();
    EXPECT_EQ(range.first, next);
    EXPECT_GT(range.end, range.first);
    next = range.end;
    sizes.push_back(range.end - range.first);
    schedule.queued();
    double ms = 0.0;
    for (int i = range.first; i < range.end; ++i)
      ms += cost(i);
    schedule.measured(ms);
  }
  EXPECT_EQ(next, schedule.parts());
  EXPECT_DOUBLE_EQ(schedule.share(), 1.0);
  return sizes;
}

TEST(PartSchedule, AnUnknownCostIsFoundOutByOnePart) {
  const auto sizes = batches(PartSchedule(100, {}), [](int) { return 1.0; });
  ASSERT_GE(sizes.size(), 2u);
  EXPECT_EQ(sizes[0], 1);
  for (std::size_t i = 1; i + 1 < sizes.size(); ++i)
    EXPECT_EQ(sizes[i], 8);
}

TEST(PartSchedule, AShortRunOfKnownCostIsOneBatch) {
  EXPECT_EQ(batches(PartSchedule(50, 0.1), [](int) { return 0.1; }), std::vector<int>{50});
  // A little more than the budget as well: half a batch is not worth a frame.
  EXPECT_EQ(batches(PartSchedule(11, 1.0), [](int) { return 1.0; }), std::vector<int>{11});
  EXPECT_EQ(batches(PartSchedule(1, {}), [](int) { return 100.0; }), std::vector<int>{1});
}

TEST(PartSchedule, PartsLongerThanTheBudgetGoOneByOne) {
  EXPECT_EQ(batches(PartSchedule(4, {}), [](int) { return 20.0; }), (std::vector<int>{1, 1, 1, 1}));
  EXPECT_EQ(batches(PartSchedule(3, 20.0), [](int) { return 20.0; }), (std::vector<int>{1, 1, 1}));
}

TEST(PartSchedule, BatchesFollowTheTimesOfThoseBefore) {
  // Half way parts become four times as long.
  const auto sizes = batches(PartSchedule(400, 0.5), [](int i) { return i < 200 ? 0.5 : 2.0; });
  EXPECT_EQ(sizes.front(), 16);
  EXPECT_EQ(sizes[sizes.size() - 2], 4);
}

TEST(PartSchedule, OneCheapPartPromisesLittle) {
  // The first part says "nothing", the second one takes long: no batch is endless.
  const auto sizes = batches(PartSchedule(100000, {}), [](int i) { return i == 0 ? 0.0 : 4.0; });
  EXPECT_EQ(sizes[0], 1);
  EXPECT_EQ(sizes[1], PartSchedule::max_growth);
  EXPECT_EQ(sizes[2], 2);
}

TEST(PartSchedule, TheSumOfAllBatchesIsKept) {
  PartSchedule schedule(3, 100.0);
  for (int i = 0; i < 3; ++i) {
    schedule.queued();
    EXPECT_DOUBLE_EQ(schedule.share(), (i + 1) / 3.0);
    schedule.measured(10.0 + i);
  }
  EXPECT_DOUBLE_EQ(schedule.total_ms(), 33.0);
}

TEST(PartTimes, GuessesFromTheLastRunInProportionToTheValues) {
  PartTimes times;
  const AlgorithmInfo a, b;
  EXPECT_FALSE(times.guess(&a, 0, 1000));
  times.learn(&a, 0, 1000, 10, 5.0);
  EXPECT_DOUBLE_EQ(times.guess(&a, 0, 1000).value(), 0.5);
  EXPECT_DOUBLE_EQ(times.guess(&a, 0, 4000).value(), 2.0);
  EXPECT_FALSE(times.guess(&a, 1, 1000));
  EXPECT_FALSE(times.guess(&b, 0, 1000));
  times.learn(&a, 0, 1000, 20, 5.0);
  EXPECT_DOUBLE_EQ(times.guess(&a, 0, 1000).value(), 0.25);
}

}  // namespace
}  // namespace threadscape::app
