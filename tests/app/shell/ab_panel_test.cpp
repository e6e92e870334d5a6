// What the panel says about the times of two settings: nothing is concluded from too few runs.

#include "app/panels/parameters/ab_panel.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

/// Times around a median, with as large a distance to both sides.
std::vector<double> times(std::size_t count, double median, double spread) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(median * (1.0 + spread * (2.0 * static_cast<double>(i) / static_cast<double>(count - 1) - 1.0)));
  return all;
}

TEST(AbSentence, CountsTheRunsThatAreMissing) {
  EXPECT_EQ(
      ab_sentence({}, {}),
      "UNCLEAR: 6 more runs of A and 6 of B are needed, after a first one each that warms up. Space runs A again");
  EXPECT_TRUE(
      ab_sentence(times(6, 1.0, 0.01), times(2, 1.2, 0.01)).starts_with("UNCLEAR: 0 more runs of A and 4 of B"));
}

TEST(AbSentence, FollowsTheVerdictOfTheSamples) {
  const std::vector<double> one = times(12, 1.0, 0.001), slower = times(12, 1.5, 0.001);
  EXPECT_EQ(ab_sentence(one, slower),
            "A is 1.5 x as fast as B by the medians; by all pairs of runs 1.5 x (95 %: 1.5 .. 1.5)");
  EXPECT_EQ(ab_sentence(slower, one),
            "B is 1.5 x as fast as A by the medians; by all pairs of runs 1.5 x (95 %: 1.5 .. 1.5)");
  EXPECT_EQ(ab_sentence(one, one), "SAME: the times of A and B differ by less than 2 %");
  EXPECT_TRUE(ab_sentence(times(12, 1.0, 0.3), times(12, 1.03, 0.3)).starts_with("UNCLEAR: A takes 0."));
}

}  // namespace
}  // namespace threadscape::app
