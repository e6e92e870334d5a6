// Counters of the CPU count what a loop of known length does, where the machine allows it.

#include <gtest/gtest.h>

#include "app/report/cpu_counters.h"

namespace threadscape::app {
namespace {

TEST(CpuCounters, CountTheInstructionsOfALoop) {
  constexpr unsigned rounds = 1000000;
  CpuCounters counters;
  counters.start();
  volatile unsigned sum = 0;  // Its overflow is defined.
  for (unsigned i = 0; i < rounds; ++i)
    sum = sum + i;
  const std::optional<CpuCounts> counts = counters.stop();
  if (!counts) GTEST_SKIP() << "this machine does not allow perf_event_open";
  // A round takes a load, an addition, a store, and at most a handful of instructions for the loop.
  EXPECT_GE(counts->instructions, 3.0 * rounds);
  EXPECT_LE(counts->instructions, 20.0 * rounds);
  EXPECT_GT(counts->cycles, 0.0);
}

}  // namespace
}  // namespace threadscape::app
