// Conditions for what kernels do.

#include "app/lesson/count_rule.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"

namespace threadscape::app {
namespace {

/// What two kernels have done: the first two launches of 4 blocks of 48 threads, the second one of a single block.
class CountRules : public testing::Test {
 protected:
  CountRules() {
    module_.files = {"", "folder/k.cu", "assets/sketches/threadscape.h"};
    ObservedKernel& first = observed_.kernels.emplace_back();
    first.name = "first";
    first.module = &module_;
    first.block = {.x = 48, .y = 1, .z = 1};
    first.launches = 2;
    first.study.launch.blocks = 8;
    first.study.registers = 20;
    first.study.occupancy = {.blocks = 1, .fraction = 0.5, .registers_known = true};
    first.study.launch.total.global_load_requests = 10;
    first.study.launch.total.global_load_sectors = 45;
    first.study.launch.total.shared_load_conflicts = 3;
    first.study.launch.total.shared_store_conflicts = 4;
    first.study.launch.total.ptx_instructions = 100;
    first.study.launch.total.thread_instructions = 1600;
    warp::LineCounts line{.file = 1, .line = 2, .counts = {}};
    line.counts.global_load_sectors = 40;
    first.study.launch.lines.push_back(line);
    line.file = 2;
    line.counts.global_load_sectors = 5;
    first.study.launch.lines.push_back(line);
    ObservedKernel second = first;
    second.name = "second";
    second.block = {.x = 32, .y = 1, .z = 1};
    second.launches = 1;
    second.study.launch.blocks = 1;
    second.study.registers = 33;
    second.study.occupancy.fraction = 0.25;
    observed_.kernels.push_back(second);
  }
  std::optional<double> count(const std::string& text) const {
    return counted(parse_count_rule(text), observed_, "line one\nout = in[i];\n", 100);
  }
  warp::Module module_;
  Observation observed_;
};

TEST_F(CountRules, FiguresAreSumsOverKernels) {
  EXPECT_EQ(count("global_load_sectors <= 1"), 90);
  EXPECT_EQ(count("global_load_sectors <= 1 kernel first"), 45);
  EXPECT_EQ(count("global_load_sectors per global_load_requests <= 1"), 4.5);
  EXPECT_EQ(count("global_load_sectors per values <= 1"), 0.9);
  EXPECT_EQ(count("shared_conflicts == 0"), 14);
  EXPECT_EQ(count("launches == 3"), 3);
  EXPECT_EQ(count("blocks == 9"), 9);
  EXPECT_EQ(count("warps == 17"), 17) << "48 threads are two warps";
  EXPECT_EQ(count("threads == 1"), 8 * 48 + 32);
  EXPECT_EQ(count("active_lanes >= 16"), 16);
  EXPECT_EQ(count("registers <= 32"), 33) << "the most";
  EXPECT_EQ(count("occupancy >= 50"), 25) << "the least";
  EXPECT_EQ(count("atomics per atomics <= 1"), 0) << "nothing per nothing";
}

TEST_F(CountRules, LinesAreThoseOfTheSketch) {
  EXPECT_EQ(count("global_load_sectors <= 1 line \"in[i]\""), 80) << "without the header's line 2";
  EXPECT_EQ(count("global_load_sectors <= 1 line \"line one\""), 0);
  EXPECT_THROW((void)count("global_load_sectors <= 1 line \"nowhere\""), Error);
  EXPECT_THROW((void)count("global_load_sectors <= 1 kernel third"), Error);
}

TEST_F(CountRules, WhatIsNotKnownIsNothing) {
  observed_.kernels[1].study.registers.reset();
  observed_.kernels[1].study.occupancy.registers_known = false;
  EXPECT_FALSE(count("registers <= 32").has_value());
  EXPECT_FALSE(count("occupancy >= 50").has_value());
  EXPECT_FALSE(count("atomics per registers >= 50").has_value());
  EXPECT_EQ(count("occupancy >= 50 kernel first"), 50);
}

TEST(CountRule, IsFulfilledUpToItsLimit) {
  EXPECT_TRUE(fulfils(parse_count_rule("atomics <= 4"), 4));
  EXPECT_FALSE(fulfils(parse_count_rule("atomics <= 4"), 4.01));
  EXPECT_TRUE(fulfils(parse_count_rule("atomics >= 4"), 4));
  EXPECT_FALSE(fulfils(parse_count_rule("atomics >= 4"), 3));
  EXPECT_TRUE(fulfils(parse_count_rule("atomics == 4"), 4));
  EXPECT_FALSE(fulfils(parse_count_rule("atomics == 4"), 5));
  EXPECT_TRUE(fulfils(parse_count_rule("atomics per values == 0.333333"), 1.0 / 3.0));
}

TEST(CountRule, WrongTextsAreRefused) {
  for (const char* text :
       {"", "nonsense <= 1", "atomics", "atomics < 1", "atomics <= x", "atomics <= -1", "atomics <= 1e999",
        "atomics per <= 1", "atomics <= 1 line", "atomics <= 1 line \"", "atomics <= 1 line \"\"",
        "atomics <= 1 kernel a kernel b", "atomics <= 1 where x", "occupancy >= 1 line \"x\""})
    EXPECT_THROW((void)parse_count_rule(text), UsageError) << text;
  EXPECT_THROW((void)parse_ratio("atomics <= 1"), UsageError);
}

TEST(CountRule, IsSaidInWords) {
  EXPECT_EQ(words_of(parse_count_rule("global_load_sectors per values <= 0.5 kernel k line \"in(\"")),
            "global load sectors per values at most 0.5 in the kernel k in lines with 'in('");
}

}  // namespace
}  // namespace threadscape::app
