// What compute/registry/facets/intermediates.h promises, for every algorithm with pictures on the way to its result.

#include "compute/registry/facets/intermediates.h"

#include <gtest/gtest.h>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

TEST(ViewsFacet, StepsEndWithTheResult) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.views) continue;
    int compared = 0;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::vector<ViewStep> steps = info.views->steps(setting.params);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made || steps.size() < 2) continue;
      const HostArray& input = *made;
      ++compared;
      EXPECT_EQ(difference_of(run_serial(info, setting.params, input), run_serial(info, steps.back().params, input)),
                "");
    }
    EXPECT_GT(compared, 0) << info.name << " has no setting with pictures on the way";
  }
}

TEST(ViewsFacet, EveryStepHasATitleAndCanBeRun) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.views) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      for (const ViewStep& step : info.views->steps(setting.params)) {
        EXPECT_NE(step.title, "");
        EXPECT_EQ(step.params.problem(), "") << step.title;
        EXPECT_TRUE(takes(info, step.params, input)) << step.title;
      }
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
