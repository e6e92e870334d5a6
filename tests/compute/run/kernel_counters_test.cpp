// Values of launches become the counts of kernels.

#include "compute/run/kernel_counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace threadscape::cuda {
namespace {

/// A launch in which all metrics are `value` but stalls, which are `stall` each.
gpu::LaunchCounts launch(const char* symbol, unsigned blocks, double value, double stall) {
  gpu::LaunchCounts launch{.symbol = symbol, .grid = {blocks, 1, 1}, .block = {32, 1, 1}};
  launch.values.assign(counter_metrics().size(), stall);
  std::fill_n(launch.values.begin(), counter_figures().size(), value);
  return launch;
}

std::size_t place_of(std::string_view figure) {
  return static_cast<std::size_t>(std::ranges::find(counter_figures(), figure, &CounterFigure::name) -
                                  counter_figures().begin());
}

TEST(KernelCounters, LaunchesOfAKernelWithOneGridAreSumsAndMeans) {
  gpu::RunCounts counts{.launches = {launch("_Z4tilePfi", 8, 10.0, 1.0), launch("_Z5otherPf", 8, 7.0, 1.0),
                                     launch("_Z4tilePfi", 8, 30.0, 1.0), launch("_Z4tilePfi", 4, 5.0, 1.0)},
                        .left_out = 3};
  const CountedRun run = counted_run(counts);
  EXPECT_EQ(run.left_out, 3U);
  ASSERT_EQ(run.kernels.size(), 3U);
  const CountedKernel& tile = run.kernels[0];
  EXPECT_EQ(tile.name, "tile");
  EXPECT_EQ(tile.launches, 2);
  EXPECT_EQ(tile.grid, (std::array{8U, 1U, 1U}));
  EXPECT_EQ(tile.count("warp_instructions"), 40.0);
  EXPECT_EQ(tile.count("dram_read_bytes"), 40.0);
  EXPECT_EQ(tile.count("active_lanes"), 20.0);
  EXPECT_EQ(tile.count("l2_hit_rate"), 20.0);
  EXPECT_EQ(run.kernels[1].name, "other");
  EXPECT_EQ(run.kernels[2].grid[0], 4U);
}

TEST(KernelCounters, StallsAreSharesOfTheTimeOfAWarp) {
  gpu::RunCounts counts{.launches = {launch("a", 1, 1.0, 0.0)}};
  std::vector<double>& values = counts.launches[0].values;
  const std::size_t first = counter_figures().size();
  values[first] = 6.0;
  values[first + 1] = 2.0;
  const CountedRun run = counted_run(counts);
  EXPECT_EQ(run.kernels[0].stalls, (std::map<std::string, double>{{std::string(stall_reasons()[0].name), 75.0},
                                                                  {std::string(stall_reasons()[1].name), 25.0}}));
}

TEST(KernelCounters, WhatAGpuDoesNotHaveIsUnknownAndNotZero) {
  gpu::RunCounts counts{.launches = {launch("a", 1, 0.0, 1.0)}};
  counts.launches[0].values[place_of("dram_read_bytes")] = std::numeric_limits<double>::quiet_NaN();
  const CountedRun run = counted_run(counts);
  EXPECT_FALSE(run.kernels[0].count("dram_read_bytes").has_value());
  EXPECT_EQ(run.kernels[0].count("dram_write_bytes"), 0.0);
}

}  // namespace
}  // namespace threadscape::cuda
