// What compute/registry/facets/preparation.h promises, for every algorithm with a step on the CPU before a run.

#include "compute/registry/facets/preparation.h"

#include <gtest/gtest.h>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

/// small_settings(), and settings in which both sides of a picture shrink: with them an order has to be found.
std::vector<VerifySetting> settings_of(const AlgorithmInfo& info) {
  std::vector<VerifySetting> settings = small_settings(info);
  for (VerifySetting setting : small_settings(info)) {
    try {
      setting.params.assign("seams", "0");
      setting.params.assign("width", "21");
      setting.params.assign("height", "15");
    } catch (const UsageError&) {
      break;  // It has no such fields.
    }
    setting.label += " to 21 x 15";
    if (setting.params.problem().empty()) settings.push_back(std::move(setting));
  }
  return settings;
}

TEST(PreparationFacet, IsMadeWhereItIsNeeded) {
  int prepared = 0;
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.preparation) continue;
    std::stop_source stopped;
    stopped.request_stop();
    for (const VerifySetting& setting : settings_of(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      for (const Backend backend : backends) {
        if (!info.preparation->needed(setting.params, backend)) continue;
        ++prepared;
        Progress progress;
        EXPECT_NE(info.preparation->prepare(setting.params, input.view(), 1, 0, {}, &progress), nullptr);
        EXPECT_GE(progress.done(), 0.0);
        EXPECT_LE(progress.done(), 1.0);
        EXPECT_NE(info.preparation->prepare(setting.params, input.view(), 1, 0, {}, nullptr), nullptr);
        EXPECT_NO_THROW(
            (void)info.preparation->prepare(setting.params, input.view(), 1, 0, stopped.get_token(), nullptr));
      }
    }
  }
  EXPECT_GT(prepared, 0);
}

/// Preparations reach runs through RunRequest, and only those that lack one that they need are refused.
TEST(PreparationFacet, ARequestLacksItUntilItIsMade) {
  for (const AlgorithmInfo& info : algorithms()) {
    for (const VerifySetting& setting : settings_of(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      RunRequest request{.algorithm = &info, .params = setting.params, .backend = Backend::cuda, .seed = 1};
      const bool needed = info.preparation && info.preparation->needed(setting.params, Backend::cuda);
      EXPECT_EQ(needs_preparation(request), needed);
      if (!needed) continue;
      request.preparation = info.preparation->prepare(setting.params, input.view(), 1, 0, {}, nullptr);
      EXPECT_FALSE(needs_preparation(request));
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
