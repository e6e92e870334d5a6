// What `bench --counters` says where a GPU cannot count.

#include <gtest/gtest.h>

#include "app/bench/bench_plan.h"
#include "app/measure/report_table.h"
#include "tests/support/compute/pretended_device.h"

namespace threadscape::app {
namespace {

TEST(BenchCounters, ARowThatCannotBeCountedKeepsItsTimesAndSaysWhy) {
  testing::PretendedDevice device;
  BenchOptions options{.algorithms = {"sobel"}, .backends = {Backend::serial, Backend::cuda}, .sizes = {"64"}};
  options.device = &device;
  options.repetitions = 1;
  options.min_seconds = 0.0;
  options.quiet = options.counters = true;
  const Report report = measure_all(plan(options), options, Missing::backend);
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0].counts.gpu.why_none, "");
  EXPECT_EQ(report.rows[1].counts.gpu.why_none, "the counters of the GPU: " + device.info().name + " is no GPU");
  EXPECT_GT(report.rows[1].samples.median(), 0.0);
  const std::string table = report_table(report);
  EXPECT_NE(table.find("\nThe counters of the GPU: " + device.info().name + " is no GPU.\n"), std::string::npos)
      << table;
}

TEST(BenchCounters, SlowRunsAndThoseOfManyLaunchesAreNotRepeated) {
  testing::PretendedDevice device;
  BenchOptions options{.algorithms = {"sobel"}, .backends = {Backend::cuda}, .sizes = {"64"}};
  options.device = &device;
  const BenchPoint point = plan(options).front().point;
  const std::string why =
      "the counters of the GPU are not read for runs of more than a second, or of more than 2000 launches";
  Measurement slow = row_of(point), many = row_of(point);
  slow.samples.compute = {1001.0};
  many.counts.kernels = {{.name = "a", .launches = 1500}, {.name = "b", .launches = 501}};
  for (Measurement* row : {&slow, &many}) {
    count_on_gpu(point, {}, *row);
    EXPECT_EQ(row->counts.gpu.why_none, why);
  }
  EXPECT_EQ(device.runs(), 0);
}

}  // namespace
}  // namespace threadscape::app
