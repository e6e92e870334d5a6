// The number of threads of short runs, whose times are invented.

#include "compute/run/short_runs.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/compute/fake_algorithm.h"

namespace threadscape {
namespace {

const AlgorithmInfo& repeated_algorithm() {
  static const AlgorithmInfo info = describe<FakeInvert>("invert");
  return info;
}

RunRequest request_with_top(const char* top = "255") {
  const AlgorithmInfo& algorithm = repeated_algorithm();
  RunRequest request{.algorithm = &algorithm, .backend = Backend::openmp};
  request.params = algorithm.defaults();
  request.params.assign("top", top);
  return request;
}

const Shape small_picture = Shape::image(Element::u8, 1, 128, 128);

/// Makes `count` runs that each take waking * threads + work / threads. Returns the numbers of threads.
std::vector<int> run(ShortRuns& runs, int count, double waking, double work,
                     const RunRequest& request = request_with_top()) {
  std::vector<int> threads;
  for (int i = 0; i < count; ++i) {
    threads.push_back(runs.threads(request, small_picture));
    runs.took(waking * threads.back() + work / threads.back());
  }
  return threads;
}

TEST(ShortRuns, TakeFewerThreadsWhereWakingThemTakesLonger) {
  ShortRuns runs(8);
  const std::vector<int> threads = run(runs, 20, 0.002, 0.008);
  EXPECT_EQ(threads, (std::vector<int>{8, 8, 8, 8, 8, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(run(runs, 3, 0.002, 0.008), (std::vector<int>{2, 2, 2})) << "one thread took as long as four";
}

TEST(ShortRuns, KeepAllThreadsForWorkThatScales) {
  ShortRuns runs(8);
  (void)run(runs, 10, 0.0, 0.4);
  EXPECT_EQ(run(runs, 2, 0.0, 0.4), (std::vector<int>{8, 8}));
}

TEST(ShortRuns, LongRunsAreNotTriedOnFewerThreads) {
  ShortRuns runs(8);
  EXPECT_EQ(run(runs, 12, 1.0, 0.0), std::vector<int>(12, 8));
}

TEST(ShortRuns, TheFirstRunOfANumberOfThreadsDoesNotCountAgainstIt) {
  ShortRuns runs(2);
  for (const double time : {5.0, 0.1, 0.1, 0.1, 0.1, 6.0, 0.05, 0.05, 0.05, 0.05}) {
    (void)runs.threads(request_with_top(), small_picture);
    runs.took(time);
  }
  EXPECT_EQ(runs.threads(request_with_top(), small_picture), 1);
}

TEST(ShortRuns, OtherParametersAndShapesAreMeasuredAnew) {
  ShortRuns runs(2);
  (void)run(runs, 10, 0.01, 0.0);
  EXPECT_EQ(runs.threads(request_with_top(), small_picture), 1);
  EXPECT_EQ(runs.threads(request_with_top("254"), small_picture), 2);
  (void)run(runs, 10, 0.01, 0.0);
  EXPECT_EQ(runs.threads(request_with_top(), Shape::image(Element::u8, 1, 128, 129)), 2);
}

TEST(ShortRuns, NumbersThatARequestStatesAreKept) {
  ShortRuns runs(8);
  RunRequest stated = request_with_top(), serial = request_with_top();
  stated.threads = 6;
  serial.backend = Backend::serial;
  EXPECT_EQ(run(runs, 12, 0.01, 0.0, stated), std::vector<int>(12, 6));
  EXPECT_EQ(run(runs, 12, 0.01, 0.0, serial), std::vector<int>(12, 1));
}

TEST(ShortRuns, RunsOfOtherRequestsBetweenThemChangeNothing) {
  ShortRuns runs(2);
  RunRequest serial = request_with_top();
  serial.backend = Backend::serial;
  for (int i = 0; i < 10; ++i) {
    (void)run(runs, 1, 0.01, 0.0);
    (void)run(runs, 1, 0.0, 0.0, serial);
  }
  EXPECT_EQ(runs.threads(request_with_top(), small_picture), 1);
}

}  // namespace
}  // namespace threadscape
