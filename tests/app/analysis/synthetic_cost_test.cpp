// A synthetic source of times whose cost is known proves the analysis: what was put in has to come out. The seeds are
// fixed, so that every run of the tests sees the same numbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/analysis/roofline.h"
#include "app/analysis/scaling.h"
#include "app/analysis/speedup.h"
#include "app/analysis/verdict.h"
#include "app/analysis/win_matrix.h"
#include "compute/core/timings.h"

namespace threadscape::app {
namespace {

/// Makes times as a machine does: a cost, a skewed noise that only adds, and rare interruptions.
class CostSource {
 public:
  explicit CostSource(unsigned seed) : random_(seed) {}
  std::vector<double> samples(std::size_t count, double cost, double noise) {
    std::lognormal_distribution<double> shape(0.0, 0.8);
    std::bernoulli_distribution interrupted(0.03);
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i)
      times.push_back(cost * (1.0 + noise * shape(random_) + (interrupted(random_) ? 0.5 : 0.0)));
    return times;
  }

 private:
  std::mt19937_64 random_;
};

TEST(SyntheticCost, FalseAlarmsOfEqualSamplesStayAtTheStatedRate) {
  CostSource source(1);
  const VerdictRule any_effect{.significance = 0.05, .effect = 0.0};
  constexpr int comparisons = 1000;
  int alarms = 0, outside = 0;
  for (int i = 0; i < comparisons; ++i) {
    const RowSamples row{source.samples(15, 10.0, 0.02), source.samples(15, 10.0, 0.02)};
    const RowComparison compared = compare_rows(std::vector{row}, any_effect).front();
    alarms += compared.verdict == Verdict::slower || compared.verdict == Verdict::faster ? 1 : 0;
    outside += compared.ratio.interval.contains(1.0) ? 0 : 1;
  }
  // Of 1000 comparisons 50 alarms are expected at a rate of 5 %, with a standard deviation of 6.9. The limits are four
  // of those away; the lower one shows that the test sees alarms at all.
  EXPECT_LE(alarms, 78);
  EXPECT_GE(alarms, 22);
  EXPECT_EQ(outside, alarms);  // The interval belongs to the test: both reject the same samples.
}

TEST(SyntheticCost, AReportOfEqualRowsHasAFalseAlarmInOneOfTwentyReportsAtMost) {
  CostSource source(2);
  const VerdictRule any_effect{.significance = 0.05, .effect = 0.0};
  constexpr int reports = 100, rows_of_report = 30;
  int reports_with_alarm = 0;
  for (int i = 0; i < reports; ++i) {
    std::vector<RowSamples> rows;
    for (int n = 0; n < rows_of_report; ++n)
      rows.push_back({source.samples(20, 1.0 + n, 0.03), source.samples(20, 1.0 + n, 0.03)});
    const std::vector<RowComparison> compared = compare_rows(rows, any_effect);
    reports_with_alarm += std::ranges::any_of(compared,
                                              [](const RowComparison& row) {
                                                return row.verdict == Verdict::slower || row.verdict == Verdict::faster;
                                              })
                              ? 1
                              : 0;
  }
  EXPECT_LE(reports_with_alarm, 13);  // 5 are expected at most, with a standard deviation of 2.2.
}

TEST(SyntheticCost, VerdictsAndIntervalsRecoverTheChange) {
  CostSource source(3);
  int covered = 0, right = 0, total = 0;
  for (const double factor : {0.5, 0.9, 1.0, 1.1, 1.5})
    for (int i = 0; i < 40; ++i) {
      const RowSamples row{source.samples(40, 3.0, 0.02), source.samples(40, 3.0 * factor, 0.02)};
      const RowComparison compared = compare_rows(std::vector{row}, {}).front();
      const Verdict expected = factor < 1.0 ? Verdict::faster : factor > 1.0 ? Verdict::slower : Verdict::same;
      right += compared.verdict == expected ? 1 : 0;
      covered += compared.ratio.interval.contains(factor) ? 1 : 0;
      ++total;
    }
  EXPECT_EQ(right, total);
  EXPECT_GE(covered, total * 95 / 100 - 12);  // Four standard deviations of the number of intervals that miss.
}

TEST(SyntheticCost, NoiseThatHidesAChangeIsUnclear) {
  CostSource source(4);
  const RowSamples row{source.samples(8, 3.0, 0.5), source.samples(8, 3.09, 0.5)};
  EXPECT_EQ(compare_rows(std::vector{row}, {}).front().verdict, Verdict::unclear);
  const RowSamples few{{1.0, 1.1}, {5.0, 5.1}};  // Two samples cannot prove anything.
  EXPECT_EQ(compare_rows(std::vector{few}, {}).front().verdict, Verdict::unclear);
}

TEST(SyntheticCost, ChangesBelowTheSmallestEffectAreSame) {
  CostSource source(5);
  const RowSamples row{source.samples(200, 3.0, 0.01), source.samples(200, 3.03, 0.01)};
  EXPECT_EQ(compare_rows(std::vector{row}, {.effect = 0.03}).front().verdict, Verdict::same);
  EXPECT_EQ(compare_rows(std::vector{row}, {.effect = 0.001}).front().verdict, Verdict::slower);
}

TEST(SyntheticCost, TheAmdahlFitRecoversTheSerialFraction) {
  int covered = 0;
  constexpr int repetitions = 200;
  std::mt19937_64 random(6);
  std::normal_distribution<double> noise(0.0, 0.02);
  for (int i = 0; i < repetitions; ++i) {
    std::vector<ThreadPoint> points;
    for (const double threads : {1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0})
      points.push_back({threads, 80.0 * (0.08 + 0.92 / threads) * std::exp(noise(random))});
    const std::optional<AmdahlFit> fit = fit_amdahl(points);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->serial_fraction, 0.08, 0.03);
    EXPECT_NEAR(fit->one_thread_ms, 80.0, 8.0);
    covered += fit->interval.contains(0.08) ? 1 : 0;
  }
  // 190 of 200 intervals contain the fraction on average, with a standard deviation of 3.1.
  EXPECT_GE(covered, 177);
}

TEST(SyntheticCost, TheAmdahlFitWithoutNoiseIsExact) {
  const std::vector<ThreadPoint> points{{1, 10.0}, {2, 6.0}, {4, 4.0}, {8, 3.0}};
  const std::optional<AmdahlFit> fit = fit_amdahl(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->serial_fraction, 0.2, 1e-12);
  EXPECT_NEAR(fit->speed_up(4), 2.5, 1e-12);
  EXPECT_NEAR(fit->max_speed_up(), 5.0, 1e-10);
  EXPECT_FALSE(fit_amdahl({{1, 10.0}, {2, 6.0}, {2, 6.1}}));
}

TEST(SyntheticCost, TheGustafsonFitRecoversTheSerialFraction) {
  std::vector<ThreadPoint> points;
  for (const double threads : {1.0, 2.0, 4.0, 8.0})
    points.push_back({threads, 5.0, 1000.0 * (threads + 0.1 * (1.0 - threads))});
  const std::optional<GustafsonFit> fit = fit_gustafson(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->serial_fraction, 0.1, 1e-12);
  EXPECT_NEAR(scaled_speed_ups(points).back(), 7.3, 1e-12);
  EXPECT_FALSE(fit_gustafson({{2, 5.0, 1.0}, {4, 5.0, 1.0}}));
}

TEST(SyntheticCost, TheCrossOverOfTwoPowerLawsIsFound) {
  // y = x and y = 10 + x^0.5 * 0 meet at 10; in logarithms both are straight lines between any points.
  const Curve line{{1, 4, 64, 256}, {1, 4, 64, 256}}, constant{{2, 32, 512}, {10, 10, 10}};
  const std::vector<CrossOver> places = cross_overs(line, constant);
  ASSERT_EQ(places.size(), 1U);
  EXPECT_NEAR(places[0].x, 10.0, 1e-9);
  EXPECT_NEAR(places[0].y, 10.0, 1e-9);
  EXPECT_FALSE(places[0].first_is_lower_beyond);
  EXPECT_TRUE(cross_overs(constant, line).front().first_is_lower_beyond);
  EXPECT_TRUE(cross_overs(line, {{1, 256}, {0.5, 128}}).empty());
  EXPECT_TRUE(cross_overs(line, {{500, 600}, {1, 1}}).empty());
  // A curve that touches the other one at a measured point and goes back does not cross it.
  EXPECT_TRUE(cross_overs({{1, 2, 4}, {1, 2, 1}}, {{1, 2, 4}, {2, 2, 2}}).empty());
}

TEST(SyntheticCost, TheRooflineNamesTheCeilingThatWasPutIn) {
  const Roofline roofline{.memories = {{"memory", 20e9}, {"L2", 100e9}},
                          .arithmetics = {{"scalar", 4e9}, {"SIMD", 60e9}}};
  EXPECT_DOUBLE_EQ(Roofline::attainable(roofline.memories[0], roofline.arithmetics[1], 1.0), 20e9);
  EXPECT_DOUBLE_EQ(Roofline::attainable(roofline.memories[0], roofline.arithmetics[1], 9.0), 60e9);
  EXPECT_DOUBLE_EQ(Roofline::ridge(roofline.memories[0], roofline.arithmetics[1]), 3.0);
  struct Case {
    double intensity, operations;
    const char* ceiling;
  };
  // Each point is at 90 % of the ceiling that it is named for.
  for (const Case& item :
       {Case{0.1, 1.8e9, "memory"}, Case{0.5, 45e9, "L2"}, Case{10.0, 3.6e9, "scalar"}, Case{50.0, 54e9, "SIMD"}}) {
    const RooflineBound bound = bound_of(roofline, {"", item.intensity, item.operations});
    EXPECT_EQ(bound.ceiling.name, item.ceiling);
    EXPECT_NEAR(bound.share, 0.9, 1e-12);
  }
  // Above the highest ceilings, the count of operations or bytes is the definition's, and not that of the code.
  const RooflineBound above = bound_of(roofline, {"", 80.0, 90e9});
  EXPECT_EQ(above.ceiling.name, "SIMD");
  EXPECT_NEAR(above.share, 1.5, 1e-12);
  EXPECT_EQ(bound_of(roofline, {"", 0.1, 20e9}).ceiling.name, "L2");
}

TEST(SyntheticCost, TheMatrixShowsTheFasterBackendAndTies) {
  CostSource source(7);
  std::vector<Contender> contenders;
  for (const double size : {1e4, 1e6}) {
    contenders.push_back({"sobel", size, Backend::serial, source.samples(15, size * 1e-6, 0.02)});
    contenders.push_back({"sobel", size, Backend::openmp, source.samples(15, 0.05 + size * 1e-7, 0.02)});
  }
  contenders.push_back({"median", 1e4, Backend::serial, source.samples(15, 1.0, 0.02)});
  contenders.push_back({"median", 1e4, Backend::cuda, source.samples(15, 1.0, 0.02)});
  const WinMatrix matrix = win_matrix(contenders);
  ASSERT_EQ(matrix.rows, (std::vector<std::string>{"sobel", "median"}));
  ASSERT_EQ(matrix.columns, (std::vector<double>{1e4, 1e6}));
  EXPECT_EQ(matrix.at(0, 0).winner, Backend::serial);
  EXPECT_EQ(matrix.at(0, 1).winner, Backend::openmp);
  EXPECT_NEAR(matrix.at(0, 1).factor, 1.0 / 0.15, 0.3);
  EXPECT_FALSE(matrix.at(0, 1).tie);
  EXPECT_TRUE(matrix.at(1, 0).tie);
  // The medians are 1.0 and 1.1, and in most pairs the second is quicker.
  const auto halves = [](double more, double fewer) {
    std::vector<double> samples(8, more);
    samples.insert(samples.end(), 7, fewer);
    return samples;
  };
  const WinMatrix disagreeing =
      win_matrix({{"mean", 1.0, Backend::serial, halves(1.0, 10.0)}, {"mean", 1.0, Backend::openmp, halves(1.1, 0.5)}});
  EXPECT_EQ(disagreeing.at(0, 0).winner, Backend::serial);
  EXPECT_TRUE(disagreeing.at(0, 0).tie);
  EXPECT_NEAR(disagreeing.at(0, 0).factor, 1.1, 1e-12) << "the ratio of the medians that stand beside it";
  EXPECT_LT(disagreeing.at(0, 0).pairs, 1.0);
  EXPECT_TRUE(ratios_differ(disagreeing.at(0, 0).factor, disagreeing.at(0, 0).pairs));
  EXPECT_FALSE(ratios_differ(matrix.at(0, 1).factor, matrix.at(0, 1).pairs));
  EXPECT_FALSE(matrix.at(1, 1).measured);
}

}  // namespace
}  // namespace threadscape::app
