// What compute/registry/facets/layers.h promises, for every algorithm that reads its input layer by layer.

#include "compute/registry/facets/layers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

class MemoryReader final : public LayerReader {
 public:
  explicit MemoryReader(const HostArray& volume) : volume_(volume) {}
  [[nodiscard]] const Shape& shape() const override { return volume_.shape(); }
  void read(std::int64_t first, std::int64_t end, float* to) override {
    const std::int64_t layer = shape().width * shape().height;
    const float* values = reinterpret_cast<const float*>(volume_.data());
    std::copy(values + first * layer, values + end * layer, to);
  }

 private:
  const HostArray& volume_;
};

TEST(LayersFacet, EqualARunOnTheWholeVolume) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!info.layers) continue;
    for (const VerifySetting& setting : small_settings(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + setting.label);
      const std::optional<HostArray> made = suitable_input(info, setting.params);
      if (!made) continue;
      const HostArray& input = *made;
      const HostArray whole = run_serial(info, setting.params, input);
      MemoryReader reader(input);
      HostArray result(whole.shape());
      LayerRun run;
      run.in = &reader;
      run.out = result.view();
      run.threads = 2;
      info.layers->run(setting.params, run);
      const Tolerance tolerance = info.tolerance_of
                                      ? info.tolerance_of(setting.params, input.shape(), run.backend, run.variant)
                                      : info.tolerance;
      const auto mismatch = compare(whole.view(), std::as_const(result).view(), tolerance);
      EXPECT_FALSE(mismatch) << to_string(*mismatch);
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
