#include "compute/warp/prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "compute/core/errors.h"

namespace threadscape::warp {
namespace {

const GpuRates& h200() {
  return parse_gpu_rates("H200");
}

/// A copy of 2^26 words of four bytes by as many threads in blocks of 256.
LaunchWork copy() {
  constexpr double words = 1 << 26, sectors = words / 8;
  LaunchWork work;
  work.kernel = "copy";
  work.blocks = words / 256;
  work.warps = 8;
  work.resident = 8;
  work.instructions = work.issue_cycles = 20 * words / 32;
  work.pace = {158, 380, 596};  // Twenty instructions, of which one is a load and most need the one before.
  work.l1_misses = 1;
  work.wavefronts = 2 * words / 32;
  work.l2_loads = work.l2_stores = work.memory_loads = work.memory_stores = sectors;
  return work;
}

double part(const Prediction& of, Bound bound) {
  return of.parts[static_cast<std::size_t>(bound)];
}

TEST(WarpPrediction, ACopyOfAWordPerThreadIsBoundByItsWaves) {
  const Prediction time = predict(std::array{copy()}, h200(), false);
  EXPECT_EQ(time.bound, Bound::latency);
  EXPECT_NEAR(std::accumulate(time.parts.begin(), time.parts.end(), 0.0), time.seconds, 1e-12);
  // The kernel read_words of docs/benchmarks/nvidia-h200-memory-access.json takes 0.2026 ms.
  EXPECT_NEAR(time.seconds, 0.2026e-3, 0.05 * 0.2026e-3);
}

TEST(WarpPrediction, ACopyOfManyWordsPerThreadIsBoundByMemory) {
  LaunchWork work = copy();
  work.blocks /= 16;
  const Prediction time = predict(std::array{work}, h200(), false);
  EXPECT_EQ(time.bound, Bound::memory);
  const double of_memory = 2 * 4 * std::exp2(26) / h200().memory;
  EXPECT_GT(time.seconds, of_memory);
  EXPECT_LT(time.seconds, 1.1 * of_memory);
}

TEST(WarpPrediction, TimesThatAreNearOverlapInPart) {
  LaunchWork work = copy();
  work.blocks /= 16;
  const double apart = predict(std::array{work}, h200(), false).seconds;
  const double memory = 2 * 4 * std::exp2(26) / h200().memory;
  work.issue_cycles = memory * h200().multiprocessors * 4 * h200().clock;
  const double near = predict(std::array{work}, h200(), false).seconds;
  EXPECT_GT(near, 1.05 * apart);
  EXPECT_LT(near, 1.5 * apart);
}

TEST(WarpPrediction, ConflictsBindByShared) {
  LaunchWork work = copy();
  work.memory_loads = work.memory_stores = work.l2_loads = work.l2_stores = 0;
  work.wavefronts += 32 * std::exp2(26) / 32;
  const Prediction time = predict(std::array{work}, h200(), false);
  EXPECT_EQ(time.bound, Bound::shared);
  const double passes = work.wavefronts / (h200().multiprocessors * h200().clock);
  EXPECT_GT(time.seconds, passes);
  EXPECT_LT(time.seconds, 1.2 * passes);
}

TEST(WarpPrediction, ManyInstructionsBindByIssue) {
  LaunchWork work = copy();
  work.instructions *= 20;
  work.issue_cycles = work.instructions;
  EXPECT_EQ(predict(std::array{work}, h200(), false).bound, Bound::issue);
}

TEST(WarpPrediction, WhatL2HasComesFromL2) {
  LaunchWork second = copy();
  for (double LaunchWork::*count :
       {&LaunchWork::blocks, &LaunchWork::instructions, &LaunchWork::issue_cycles, &LaunchWork::wavefronts,
        &LaunchWork::l2_loads, &LaunchWork::l2_stores, &LaunchWork::memory_loads, &LaunchWork::memory_stores})
    second.*count /= 64;
  const Prediction alone = predict(std::array{second}, h200(), false);
  const Prediction again = predict(std::array{second, second}, h200(), false);
  const Prediction warm = predict(std::array{second}, h200(), true);
  EXPECT_LT(again.seconds, 2 * alone.seconds);
  EXPECT_NEAR(again.seconds, alone.seconds + warm.seconds, 1e-12);
}

/// A block of one warp whose instructions wait for each other.
LaunchWork chain(double blocks) {
  LaunchWork work;
  work.blocks = blocks;
  work.instructions = work.issue_cycles = 1e5 * blocks;
  work.pace = {4e5, 4e5, 4e5};
  return work;
}

TEST(WarpPrediction, OneBlockIsBoundByLatency) {
  const Prediction time = predict(std::array{chain(1)}, h200(), false);
  EXPECT_EQ(time.bound, Bound::latency);
  // An instruction is issued every four cycles, and one scheduler of one multiprocessor has all of them.
  EXPECT_NEAR(time.seconds, (4e5 + 1e5 / 4 / 0.9) / h200().clock + h200().launch_gap, 1e-9);
}

TEST(WarpPrediction, AWaveAndOneBlockEndInATail) {
  const double wave = h200().multiprocessors;
  const Prediction full = predict(std::array{chain(wave)}, h200(), false);
  const Prediction more = predict(std::array{chain(wave + 1)}, h200(), false);
  EXPECT_EQ(full.bound, Bound::latency);
  EXPECT_EQ(part(full, Bound::tail), 0);
  EXPECT_EQ(more.bound, Bound::tail);
  const double twice = 2 * (full.seconds - h200().launch_gap);
  EXPECT_NEAR(more.seconds - h200().launch_gap, twice, 0.1 * twice);
}

TEST(WarpPrediction, ShortKernelsAreBoundByTheirLaunches) {
  LaunchWork work = chain(1);
  work.instructions = work.issue_cycles = 10;
  work.pace = {40, 40, 40};
  work.launches = 50;
  const Prediction time = predict(std::array{work}, h200(), false);
  EXPECT_EQ(time.bound, Bound::launch);
  EXPECT_DOUBLE_EQ(time.seconds, 50 * h200().launch_interval);
}

TEST(WarpPrediction, CountsAreAffineInTheRows) {
  LaunchWork small = chain(10), large = chain(18);  // Eight blocks for each 64 rows, and two more.
  small.instructions = 1000;
  large.instructions = 1800;
  const LaunchWork wanted = extended({small}, 64, {large}, 128, 1024).front();
  EXPECT_DOUBLE_EQ(wanted.blocks, 130);
  EXPECT_DOUBLE_EQ(wanted.instructions, 13000);
  EXPECT_DOUBLE_EQ(wanted.launches, 1);
}

TEST(WarpPrediction, BlocksHaveMoreToDoOnlyIfTheirNumberStays) {
  LaunchWork small = chain(10), large = chain(10);
  large.pace = {8e5, 8e5, 9e5};
  const LaunchWork longer = extended({small}, 64, {large}, 128, 1024).front();
  EXPECT_DOUBLE_EQ(longer.pace[0], 64e5);
  EXPECT_DOUBLE_EQ(longer.pace[2], 79e5);
  large.blocks = 20;
  EXPECT_EQ(extended({small}, 64, {large}, 128, 1024).front().pace, large.pace);
}

TEST(WarpPrediction, LoadsTakeTheTimeOfTheirSources) {
  LaunchWork work = chain(1);
  work.pace = {1e5, 2e5, 3e5};
  work.l2_loads = work.memory_loads = 1;
  const auto waits = [&work](double l1_misses, bool warm) {
    work.l1_misses = l1_misses;
    return part(predict(std::array{work}, h200(), warm), Bound::latency) * h200().clock;
  };
  const double from_l1 = waits(0, false);
  EXPECT_NEAR(waits(1, false) - from_l1, 2e5, 1);
  EXPECT_NEAR(waits(1, true) - from_l1, 1e5, 1);
  EXPECT_NEAR(waits(0.5, false) - from_l1, 1e5, 1);
}

TEST(WarpPrediction, LaunchesGrowWithTheLogarithm) {
  LaunchWork small = chain(8), large = chain(16);
  small.launches = 10;
  large.launches = 11;
  EXPECT_DOUBLE_EQ(extended({small}, 1024, {large}, 2048, 16384).front().launches, 14);
}

TEST(WarpPrediction, OtherKernelsGrowAsTheLargerOneDoes) {
  const LaunchWork large = chain(16);
  const std::vector<LaunchWork> wanted = extended({chain(8), chain(1)}, 64, {large}, 128, 1024);
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_DOUBLE_EQ(wanted.front().blocks, 128);
  EXPECT_DOUBLE_EQ(wanted.front().launches, 1);
  LaunchWork wider = chain(16);
  wider.warps = 2;  // Sixteen blocks of either size are no affine number of blocks.
  EXPECT_DOUBLE_EQ(extended({wider}, 64, {large}, 128, 1024).front().blocks, 128);
}

TEST(WarpPrediction, GpusByName) {
  EXPECT_EQ(parse_gpu_rates("9.0").name, "H100");
  EXPECT_GT(h200().memory, parse_gpu_rates("H100").memory);
  EXPECT_THROW((void)parse_gpu_rates("7.5"), UsageError);
}

}  // namespace
}  // namespace threadscape::warp
