// Compares the statistics of times with SciPy and statsmodels (scripts/reference/timing_statistics.py).

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/analysis/rank_test.h"
#include "app/analysis/scaling.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

const nlohmann::json& reference() {
  static const nlohmann::json data = [] {
    std::ifstream file(test_dir() + "/data/timing_statistics.json");
    if (!file) throw std::runtime_error("tests/data/timing_statistics.json is missing");
    return nlohmann::json::parse(file);
  }();
  return data;
}

std::vector<double> numbers(const nlohmann::json& list) {
  return list.get<std::vector<double>>();
}

/// Both sides compute in double with sums of up to a few hundred terms, so that ten digits agree.
void expect_close(double value, double expected) {
  EXPECT_NEAR(value, expected, 1e-10 * std::abs(expected));
}

TEST(RankTest, PValuesAndRatiosEqualThoseOfSciPy) {
  for (const nlohmann::json& item : reference().at("comparisons")) {
    const std::vector<double> a = numbers(item.at("a")), b = numbers(item.at("b"));
    SCOPED_TRACE(std::to_string(a.size()) + " and " + std::to_string(b.size()) + " samples");
    expect_close(mann_whitney_p(a, b), item.at("p").get<double>());
    expect_close(mann_whitney_p(b, a), item.at("p").get<double>());
    expect_close(ratio_of_times(a, b, 0.95).ratio, item.at("ratio").get<double>());
  }
}

TEST(RankTest, IntervalsOfTheRatioAreThoseThatTheTestOfSciPyDoesNotReject) {
  int bounded = 0;
  for (const nlohmann::json& item : reference().at("comparisons"))
    for (const auto& [name, confidence] : {std::pair{"interval_95", 0.95}, std::pair{"interval_99", 0.99}}) {
      if (item.at(name).is_null()) continue;
      const RatioEstimate estimate = ratio_of_times(numbers(item.at("a")), numbers(item.at("b")), confidence);
      expect_close(estimate.interval.low, item.at(name)[0].get<double>());
      expect_close(estimate.interval.high, item.at(name)[1].get<double>());
      ++bounded;
    }
  EXPECT_GE(bounded, 13);
}

TEST(RankTest, TooFewSamplesLeaveTheIntervalWithoutEnds) {
  const RatioEstimate estimate = ratio_of_times({1.0, 1.1, 1.2}, {2.0, 2.1, 2.2}, 0.95);
  EXPECT_EQ(estimate.interval.low, 0.0);
  EXPECT_TRUE(std::isinf(estimate.interval.high));
}

TEST(RankTest, EqualSamplesHaveTheRatioOne) {
  for (const std::size_t count : {4u, 15u, 31u}) {
    const RatioEstimate same =
        ratio_of_times(std::vector<double>(count, 2.0), std::vector<double>(count + 1, 2.0), 0.95);
    EXPECT_EQ(same.ratio, 1.0);
    EXPECT_EQ(same.interval.low, 1.0) << count;
    EXPECT_EQ(same.interval.high, 1.0) << count;
  }
  const RatioEstimate few = ratio_of_times({2.0, 2.0, 2.0}, {2.0, 2.0, 2.0}, 0.95);
  EXPECT_TRUE(std::isinf(few.interval.high)) << "three samples are too few, equal or not";
}

TEST(RankTest, EqualSamplesHaveThePValueOne) {
  EXPECT_EQ(mann_whitney_p({2, 2, 2, 2}, {2, 2, 2}), 1.0);
  const RatioEstimate estimate = ratio_of_times({2, 2, 2, 2}, {2, 2, 2}, 0.95);
  EXPECT_EQ(estimate.ratio, 1.0);
}

TEST(RankTest, AdjustedPValuesEqualThoseOfStatsmodels) {
  const std::vector<double> adjusted = holm_adjusted(numbers(reference().at("holm").at("p")));
  const std::vector<double> expected = numbers(reference().at("holm").at("adjusted"));
  ASSERT_EQ(adjusted.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    expect_close(adjusted[i], expected[i]);
}

TEST(Samples, MediansIntervalsAndOutliersEqualThoseOfSciPy) {
  for (const nlohmann::json& item : reference().at("medians")) {
    const std::vector<double> samples = numbers(item.at("samples"));
    const MedianInterval found = median_interval(samples);
    SCOPED_TRACE(std::to_string(samples.size()) + " samples");
    EXPECT_TRUE(found.reached);
    expect_close(found.median, item.at("median").get<double>());
    expect_close(found.interval.low, item.at("low").get<double>());
    expect_close(found.interval.high, item.at("high").get<double>());
    const Outliers outliers = outliers_of(samples);
    EXPECT_EQ(outliers.high, item.at("outliers_high").get<std::size_t>());
    EXPECT_EQ(outliers.low, item.at("outliers_low").get<std::size_t>());
  }
}

TEST(Samples, FiveSamplesCannotReach95Percent) {
  const MedianInterval found = median_interval({5, 1, 4, 2, 3});
  EXPECT_FALSE(found.reached);
  EXPECT_EQ(found.interval.low, 1.0);
  EXPECT_EQ(found.interval.high, 5.0);
  EXPECT_NEAR(found.precision(), 2.0 / 3.0, 1e-12);
}

TEST(Samples, QuantilesOfDistributionsEqualThoseOfSciPy) {
  for (const nlohmann::json& item : reference().at("normal"))
    EXPECT_NEAR(normal_quantile(item[0].get<double>()), item[1].get<double>(), 1e-11);
  // Simpson's rule with 2000 steps and the bisection leave an error of about 1e-9.
  for (const nlohmann::json& item : reference().at("student"))
    EXPECT_NEAR(student_quantile(0.975, item[0].get<int>()), item[1].get<double>(), 1e-6 * item[1].get<double>());
}

TEST(Scaling, TheAmdahlFitEqualsThatOfSciPy) {
  for (const nlohmann::json& item : reference().at("amdahl")) {
    std::vector<ThreadPoint> points;
    for (std::size_t i = 0; i < item.at("threads").size(); ++i)
      points.push_back({item.at("threads")[i].get<double>(), item.at("times")[i].get<double>()});
    const std::optional<AmdahlFit> fit = fit_amdahl(points);
    ASSERT_TRUE(fit);
    const double serial = item.at("serial_fraction").get<double>(), error = item.at("standard_error").get<double>();
    // SciPy minimizes by steps until they are relatively small (1e-8), the fit here solves the normal equations.
    EXPECT_NEAR(fit->serial_fraction, serial, 1e-6);
    EXPECT_NEAR(fit->standard_error, error, 1e-4 * error);
    EXPECT_NEAR(fit->interval.high, serial + item.at("t_quantile").get<double>() * error, 1e-5);
  }
}

}  // namespace
}  // namespace threadscape::app
