#include "app/bench/bench_predict.h"

#include <gtest/gtest.h>

#include "app/bench/bench_plan.h"
#include "app/bench/time_budget.h"
#include "app/report/long_task.h"
#include "compute/core/cpu_info.h"
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
  BenchOptions options;
  options.predict_gpu = warp::parse_gpu_rates("H200");
  RowPredictor predictor(options, {});
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

BenchPoint on_cpu(const char* name, const char* size) {
  BenchOptions options;
  options.algorithms = {name};
  options.backends = {Backend::serial};
  options.sizes = {size};
  return plan(options).front().point;
}

TEST(BenchPredict, ARunOnTheCpuHasATimeFromRunsOnPartsOfItsInput) {
  RowPredictor predictor({}, {.host = {{1, 1e18}}});
  const PredictedTime found = predictor.of(on_cpu("median", "4096"), {});
  EXPECT_EQ(found.why_none, "");
  EXPECT_GT(found.ms, 0.0);
  EXPECT_NE(found.bound, "memory") << "a memory that costs no time binds";
  EXPECT_EQ(found.gpu, cpu_info().model);
}

TEST(BenchPredict, TheRateIsThatOfTheMemoryThatHoldsTheBytes) {
  HostRates rates({.host = {{1, 5e9}}, .host_read = {{1, 7e9}}});
  constexpr double more_than_any_cache = 1e15;
  const HostRates::Rate copy = rates.of(on_cpu("sobel", "64"), more_than_any_cache);
  EXPECT_EQ(std::string(copy.name), "memory");
  EXPECT_EQ(copy.per_second, 5e9);
  EXPECT_EQ(rates.of(on_cpu("reduction", "64"), more_than_any_cache).per_second, 7e9);
}

TEST(BenchPredict, WhatHasNoPartsSaysSo) {
  RowPredictor predictor({}, {.host = {{1, 1e9}}});
  EXPECT_EQ(predictor.of(on_cpu("phantom", "64"), {}).why_none, "no part of its input can be run alone");
  EXPECT_EQ(predictor.of(on_cpu("sobel", "64x2"), {}).why_none, "its input has too few rows for parts of it");
}

TEST(BenchPredict, ABudgetHoldsForPredictionsToo) {
  BenchOptions options;
  options.predict = options.quiet = true;
  const PlannedPoint absent{.point = sobel("64"), .rule = {}, .left_out = "no GPU here"};
  const PlannedPoint here{.point = on_cpu("sobel", "300"), .rule = {.repetitions = 1, .min_seconds = 0.0}};
  LongTask task("bench", true);
  TimeBudget budget(600.0, 2);
  const Report report = measure_within(budget, {absent, here}, options, {.host = {{1, 1e9}}}, task);
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_TRUE((report.rows[0].predicted.ms > 0.0) != !report.rows[0].predicted.why_none.empty());
  EXPECT_EQ(report.rows[0].skipped, "no GPU here");
  EXPECT_GT(report.rows[1].predicted.ms, 0.0);
  EXPECT_GT(report.rows[1].samples.median(), 0.0);
  TimeBudget spent(1e-9, 1);
  const Report late = measure_within(spent, {here}, options, {.host = {{1, 1e9}}}, task);
  EXPECT_EQ(late.rows.front().predicted.why_none, "its prediction takes too long for " + spent.text());
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
