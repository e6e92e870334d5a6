// Tests of the fit of latency and bandwidth: times that were made from a model give it back, and noise moves it as
// least squares says.

#include "app/analysis/transfer_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace threadscape::app {
namespace {

std::vector<TransferPoint> points_of(double latency_ms, double gigabytes_per_second) {
  std::vector<TransferPoint> points;
  for (double bytes = 1024; bytes < 1e9; bytes *= 4)
    points.push_back({bytes, latency_ms + bytes / (gigabytes_per_second * 1e6)});
  return points;
}

TEST(TransferModel, GivesBackWhatWasPutIn) {
  const auto model = fit_transfer(points_of(0.0098, 54.3));
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->latency_ms, 0.0098, 1e-12);
  EXPECT_NEAR(model->gigabytes_per_second, 54.3, 1e-8);
  EXPECT_NEAR(model->max_error, 0.0, 1e-9);
  // 9.8 us at 54.3 GB/s are 532,140 bytes.
  EXPECT_NEAR(model->half_size(), 532140.0, 1e-3);
  EXPECT_NEAR(model->milliseconds(model->half_size()), 2 * 0.0098, 1e-12);
  EXPECT_EQ(to_text(*model), "9.80 us + 54.3 GB/s");
}

TEST(TransferModel, WeightsTimesByTheirSize) {
  // Three equations latency / t + slope * bytes / t = 1, whose normal equations were solved with exact fractions:
  const auto model = fit_transfer({{0.0, 1.1}, {1e6, 1.9}, {2e6, 3.2}});
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->latency_ms, 1.0766319042, 1e-9);
  EXPECT_NEAR(1.0 / model->gigabytes_per_second, 0.9628041715, 1e-9);
}

TEST(TransferModel, ALatencyIsNeverNegative) {
  const auto model = fit_transfer({{1e6, 0.5}, {2e6, 2.0}, {3e6, 4.0}});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->latency_ms, 0.0);
  EXPECT_GT(model->gigabytes_per_second, 0.0);
}

TEST(TransferModel, WantsThreeSizesAndGrowingTimes) {
  EXPECT_FALSE(fit_transfer({{1.0, 1.0}, {2.0, 2.0}, {2.0, 2.1}}));
  EXPECT_FALSE(fit_transfer({{1e6, 4.0}, {2e6, 2.0}, {3e6, 1.0}}));
}

}  // namespace
}  // namespace threadscape::app
