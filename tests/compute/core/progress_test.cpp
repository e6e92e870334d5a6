// The completed fraction of a run, also where several threads report it.

#include "compute/core/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace threadscape {
namespace {

TEST(Progress, AFractionThatComesLateChangesNothing) {
  Progress progress;
  progress.advance(0.75);
  progress.advance(0.25);
  EXPECT_EQ(progress.done(), 0.75);
  progress.report(0.0);
  progress.advance(0.25);
  EXPECT_EQ(progress.done(), 0.25);
}

TEST(Progress, ThreadsThatCountTogetherEndAtOne) {
  constexpr int threads = 4, parts = 20'000;
  Progress progress;
  std::atomic<int> done = 0;
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&] {
      for (int k = 0; k < parts; ++k) {
        const double before = progress.done();
        progress.advance(static_cast<double>(done.fetch_add(1) + 1) / (threads * parts));
        EXPECT_GE(progress.done(), before);
      }
    });
  workers.clear();
  EXPECT_EQ(progress.done(), 1.0);
}

}  // namespace
}  // namespace threadscape
