#include "app/bench/bench_predict.h"

#include <gtest/gtest.h>

#include "app/bench/bench_plan.h"
#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

BenchPoint sobel(const char* size) {
  BenchOptions options;
  options.algorithms = {"sobel"};
  options.backends = {Backend::cuda};
  options.sizes = {size};
  return plan(options).front().point;
}

TEST(BenchPredict, ARunOfKernelsHasATimeOrAReason) {
  const RowPredictor predictor(warp::parse_gpu_rates("H200"));
  const PredictedTime small = predictor.of(sobel("64x48"), {});
  if (!gpu::devices().emulated().available()) {
    EXPECT_EQ(small.ms, 0.0);
    EXPECT_NE(small.why_none, "");
    return;
  }
  EXPECT_EQ(small.gpu, "H200");
  EXPECT_GE(small.ms, 1e3 * warp::parse_gpu_rates("H200").launch_interval);
  // Two parts of a large picture are executed: it takes longer than the small one, and reads 16 MiB.
  const PredictedTime large = predictor.of(sobel("4096"), {});
  EXPECT_GT(large.ms, small.ms);
  EXPECT_GT(large.ms, 1e3 * 2 * 4096 * 4096 / warp::parse_gpu_rates("H200").memory);
}

TEST(BenchPredict, TheDeviceThatTheCpuEmulatesIsPredictedAsAnH100) {
  const warp::GpuRates rates = rates_of(gpu::devices().emulated(), {.device = 1e9});
  EXPECT_EQ(rates.name, "H100");
  EXPECT_EQ(rates.memory, warp::parse_gpu_rates("H100").memory);
  EXPECT_EQ(rates.multiprocessors, 132);
}

TEST(BenchPredict, WhatIsNotMeasuredHereIsPredicted) {
  BenchOptions options;
  options.predict = options.quiet = true;
  const PlannedPoint absent{.point = sobel("64"), .rule = {}, .left_out = "no GPU here"};
  const Report report = measure_all({absent}, options, Missing::any);
  ASSERT_EQ(report.rows.size(), 1u);
  const Measurement& row = report.rows.front();
  EXPECT_EQ(row.skipped, "no GPU here");
  EXPECT_TRUE((row.predicted.ms > 0.0) != !row.predicted.why_none.empty());
  EXPECT_EQ(outcome(report), row.predicted.ms > 0.0 ? ExitCode::done : ExitCode::skipped);
}

}  // namespace
}  // namespace threadscape::app
