// Which points a benchmark without a suite measures.

#include "app/bench/bench_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

BenchOptions serial(std::vector<std::string> algorithms) {
  BenchOptions options;
  options.algorithms = std::move(algorithms);
  options.backends = {Backend::serial};
  options.sizes = {"1024"};
  return options;
}

/// GCC 12 and 13 have destroyed the parameters twice here, which has crashed the program.
TEST(BenchPlan, ASizeThatANamedAlgorithmDoesNotTakeIsRefusedWithTheCause) {
  try {
    (void)plan(serial({"projection"}));
    FAIL() << "no error";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("1024x1024"), std::string::npos) << text;
    EXPECT_NE(text.find("source_distance"), std::string::npos) << text << ": only volumes of floats are projected";
  }
}

TEST(BenchPlan, EveryRouteIsForcedForEveryValueOfASweep) {
  BenchOptions options = serial({"median"});
  options.backends = {Backend::serial, Backend::openmp};
  options.routes = true;
  options.sweep_name = "size";
  options.sweep_values = {"3", "11"};
  std::vector<std::string> seen;
  for (const PlannedPoint& planned : plan(options))
    seen.push_back(row_of(planned.point).where.variant + " " + row_of(planned.point).what.find("size")->text);
  EXPECT_EQ(seen, (std::vector<std::string>{"default/networks 3", "default/histograms 3", "default/places 3",
                                            "default/networks 11", "default/histograms 11", "default/places 11"}));
  options.algorithms = {"sorting"};
  EXPECT_THROW((void)plan(options), UsageError);
}

TEST(BenchPlan, WhereAllAlgorithmsAreMeasuredASizeThatOneDoesNotTakeIsLeftOut) {
  const std::vector<PlannedPoint> points = plan(serial({}));
  for (const PlannedPoint& planned : points) {
    const std::string name(planned.point.request.algorithm->name);
    if (name == "projection") {
      EXPECT_NE(planned.left_out.find("source_distance"), std::string::npos) << planned.left_out;
      EXPECT_EQ(planned.point.input.width, 1024);
      EXPECT_EQ(planned.point.input.depth, 1024) << "a volume";
    } else {
      EXPECT_EQ(planned.left_out, "") << name;
    }
  }
  for (const AlgorithmInfo& algorithm : algorithms())
    EXPECT_TRUE(std::ranges::any_of(points, [&](const PlannedPoint& planned) {
      return planned.point.request.algorithm == &algorithm;
    })) << algorithm.name;
}

}  // namespace
}  // namespace threadscape::app
