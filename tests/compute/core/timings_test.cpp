#include "compute/core/timings.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace threadscape {
namespace {

TimingSample sample(double compute_ms, bool warm_up = false) {
  TimingSample s;
  s.times.compute_ms = compute_ms;
  s.times.upload_ms = 1.0;
  s.warm_up = warm_up;
  return s;
}

TEST(Summary, OfNothingIsEmpty) {
  const Summary summary = summarize({});
  EXPECT_EQ(summary.count, 0u);
  EXPECT_EQ(summary.median, 0.0);
}

TEST(Summary, MedianIsTheMiddle) {
  EXPECT_EQ(summarize({5.0, 1.0, 3.0}).median, 3.0);
  EXPECT_EQ(summarize({4.0, 1.0, 3.0, 2.0}).median, 2.5);
  EXPECT_EQ(summarize({7.0}).median, 7.0);
}

TEST(Summary, SpreadIgnoresOneOutlier) {
  const Summary summary = summarize({10.0, 11.0, 12.0, 13.0, 1000.0});
  EXPECT_EQ(summary.minimum, 10.0);
  EXPECT_EQ(summary.maximum, 1000.0);
  EXPECT_EQ(summary.median, 12.0);
  EXPECT_EQ(summary.spread, 1.0);
}

TEST(TimingHistory, LeavesWarmUpOut) {
  TimingHistory history;
  history.push(sample(100.0, true));
  history.push(sample(2.0));
  history.push(sample(4.0));
  EXPECT_EQ(history.size(), 3u);
  EXPECT_EQ(history.summary(&StageTimes::compute_ms).median, 3.0);
  EXPECT_EQ(history.summary().median, 4.0);  // The sum of upload and compute.
}

TEST(TimingHistory, ForgetsTheOldest) {
  TimingHistory history;
  const std::size_t extra = 10;
  for (std::size_t i = 0; i < TimingHistory::capacity + extra; ++i)
    history.push(sample(static_cast<double>(i)));
  EXPECT_EQ(history.size(), TimingHistory::capacity);
  EXPECT_EQ(history[0].times.compute_ms, static_cast<double>(extra));
  EXPECT_EQ(history[TimingHistory::capacity - 1].times.compute_ms,
            static_cast<double>(TimingHistory::capacity + extra - 1));
  EXPECT_THROW((void)history[TimingHistory::capacity], std::out_of_range);
  history.clear();
  EXPECT_EQ(history.size(), 0u);
  history.push(sample(1.0));
  EXPECT_EQ(history[0].times.compute_ms, 1.0);
}

}  // namespace
}  // namespace threadscape
