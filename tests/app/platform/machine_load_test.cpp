// Tests of the share of the processor that other programs take.

#include "app/platform/machine_load.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

TEST(MachineLoadTest, TheFirstLineOfProcStatIsRead) {
  const auto times = parse_cpu_times("cpu  100 20 30 400 50 6 7 8 0 0", 10.0);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(times->busy, 17.1);
  EXPECT_DOUBLE_EQ(times->total, 62.1);
  EXPECT_FALSE(parse_cpu_times("intr 1 2 3 4 5 6 7 8", 10.0));
  EXPECT_FALSE(parse_cpu_times("cpu 1 2", 10.0));
  EXPECT_FALSE(parse_cpu_times("", 10.0));
}

TEST(MachineLoadTest, OwnTimeIsNotThatOfOthers) {
  const CpuTimes before{.busy = 10.0, .total = 100.0}, after{.busy = 16.0, .total = 108.0};
  EXPECT_DOUBLE_EQ(share_of_others(before, after, 2.0), 0.5);
  EXPECT_DOUBLE_EQ(share_of_others(before, after, 6.0), 0.0);
  EXPECT_DOUBLE_EQ(share_of_others(before, after, 7.0), 0.0);  // Both are measured in ticks, so they may disagree.
  EXPECT_DOUBLE_EQ(share_of_others(before, before, 0.0), 0.0);
}

TEST(MachineLoadTest, ThisMachineHasAShare) {
  MachineLoad load;
  load.update(0.0);
  load.update(2.0);
  EXPECT_GE(load.others(), 0.0);
  EXPECT_LE(load.others(), 1.0);
}

}  // namespace
}  // namespace threadscape::app
