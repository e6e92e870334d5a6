// Tests how a CUDA run in parts is divided into batches, with invented times and without a device.

#include "app/live/part_schedule.h"

#include <gtest/gtest.h>

#include <vector>

#include "compute/registry/registry.h"

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

/// A run of seam carving on CUDA by variant `variant`.
Work seam_work(int variant) {
  const AlgorithmInfo& algorithm = find_algorithm("seam_carving");
  return {.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::cuda, .variant = variant};
}

TEST(PartTimes, GuessesFromTheLastRunInProportionToTheValues) {
  PartTimes times;
  const Work work = seam_work(0);
  EXPECT_FALSE(times.guess(work, 1000));
  times.learn(work, 1000, 10, 5.0);
  EXPECT_DOUBLE_EQ(times.guess(work, 1000).value(), 0.5);
  EXPECT_DOUBLE_EQ(times.guess(work, 4000).value(), 2.0);
  EXPECT_FALSE(times.guess(seam_work(1), 1000));
  Work other = work;
  other.algorithm = &find_algorithm("projection");
  other.params = other.algorithm->defaults();
  EXPECT_FALSE(times.guess(other, 1000));
  times.learn(work, 1000, 20, 5.0);
  EXPECT_DOUBLE_EQ(times.guess(work, 1000).value(), 0.25);
}

TEST(PartTimes, ChoicesHaveTimesOfTheirOwnAndNumbersShareThem) {
  // What seams of the greedy path take says nothing about those of the other one: the first batch would have all.
  PartTimes times;
  Work work = seam_work(1);
  work.params.assign("path", "greedy");
  times.learn(work, 1000, 10, 0.1);
  work.params.assign("width", "200");
  EXPECT_DOUBLE_EQ(times.guess(work, 1000).value(), 0.01);
  work.params.assign("path", "dp");
  EXPECT_FALSE(times.guess(work, 1000));
  work.params.assign("path", "greedy");
  work.params.assign("restore_size", "true");
  EXPECT_FALSE(times.guess(work, 1000));
  work.params.assign("restore_size", "false");
  work.params.assign("protect", "a.png");
  EXPECT_FALSE(times.guess(work, 1000));
  times.learn(work, 1000, 10, 20.0);
  work.params.assign("protect", "b.png");  // as while the mask is painted
  EXPECT_DOUBLE_EQ(times.guess(work, 1000).value(), 2.0);
}

}  // namespace
}  // namespace threadscape::app
