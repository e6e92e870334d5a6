// What compute/registry/facets/intermediates.h promises, for every algorithm with pictures on the way to its result.

#include "compute/registry/facets/intermediates.h"

#include <gtest/gtest.h>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

TEST(IntermediatesFacet, EndWithTheResult) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.intermediates) continue;
    int compared = 0;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::vector<Intermediate> all = info.intermediates->list(setting.params);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made || all.size() < 2) continue;
      const HostArray& input = *made;
      ++compared;
      EXPECT_EQ(difference_of(run_serial(info, setting.params, input), run_serial(info, all.back().params, input)), "");
    }
    EXPECT_GT(compared, 0) << info.name << " has no setting with pictures on the way";
  }
}

TEST(IntermediatesFacet, HaveTitlesAndCanBeRun) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.intermediates) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      for (const Intermediate& one : info.intermediates->list(setting.params)) {
        EXPECT_NE(one.title, "");
        EXPECT_EQ(one.params.problem(), "") << one.title;
        EXPECT_TRUE(takes(info, one.params, input)) << one.title;
      }
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
