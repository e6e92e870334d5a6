// What compute/registry/facets/parts.h promises, for every algorithm whose CUDA runs consist of parts. That runs in
// calls of several parts equal serial is tested by the sweep of `verify`.

#include "compute/registry/facets/parts.h"

#include <gtest/gtest.h>

#include "compute/gpu/device.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

TEST(PartsFacet, ThereIsAtLeastOnePart) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.parts) continue;
    bool several = false;
    for (const VerifySetting& setting : small_settings(info)) {
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      const int count = info.parts->count(setting.params, input.shape());
      EXPECT_GE(count, 1) << info.name << " " << setting.label;
      several = several || count > 1;
    }
    EXPECT_TRUE(several) << info.name << " has no setting with more than one part";
  }
}

// The tolerance is that of the algorithm, because kernels that add atomically (the method sirt of the reconstruction)
// give other bits in every run. Algorithms whose tolerance is exact are compared to the bit.
TEST(PartsFacet, PartByPartEqualsOneCall) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  Runner runner;
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.parts) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made || info.parts->count(setting.params, made->shape()) < 2) continue;
      const HostArray& input = *made;
      RunRequest request{.algorithm = &info, .params = setting.params, .backend = Backend::cuda, .seed = 1};
      for (int variant = 0; variant < static_cast<int>(info.variants_of(Backend::cuda).size()); ++variant) {
        request.variant = variant;
        request.parts_at_once = 0;
        const HostArray whole = runner.run(request, input.view()).output;
        request.parts_at_once = 1;
        const HostArray by_parts = runner.run(request, input.view()).output;
        EXPECT_EQ(difference_of(whole, by_parts, tolerance_of(request, input.shape())), "") << variant;
      }
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
