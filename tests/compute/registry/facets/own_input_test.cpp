// What compute/registry/facets/own_input.h promises, for every algorithm that makes its own input.

#include "compute/registry/facets/own_input.h"

#include <gtest/gtest.h>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

TEST(OwnInputFacet, InputsHaveTheStatedShape) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.own_input) continue;
    int made = 0;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> input = suitable_input(info, setting.params);
      if (!input) continue;
      EXPECT_EQ(input->shape(), info.own_input->shape(setting.params));
      EXPECT_EQ(input->shape().kind, info.input);
      ++made;
    }
    EXPECT_GT(made, 0) << info.name;
  }
}

TEST(OwnInputFacet, TheSeedDeterminesTheValuesOfAnAcceptedInput) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.own_input) continue;
    SCOPED_TRACE(info.name);
    ParamBox params = info.defaults();
    ASSERT_TRUE(make_small(params));
    EXPECT_TRUE(takes(info, params, info.own_input->make(params, 5)));
    EXPECT_EQ(difference_of(info.own_input->make(params, 5), info.own_input->make(params, 5)), "");
  }
}

TEST(OwnInputFacet, SameParametersMakeTheSameInput) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.own_input) continue;
    ParamBox params = info.defaults();
    ASSERT_TRUE(make_small(params));
    EXPECT_TRUE(info.own_input->same(params, params)) << info.name;
    const HostArray input = info.own_input->make(params, 1);
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const bool same = info.own_input->same(params, setting.params);
      EXPECT_EQ(info.own_input->same(setting.params, params), same);
      if (same) {
        EXPECT_EQ(difference_of(input, info.own_input->make(setting.params, 1)), "");
      }
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
