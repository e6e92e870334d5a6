// Separable filters on the GPU against serial, for cases that the parity test leaves out: pictures larger than the
// windows, which are filtered on tensor cores, with every radius at which the band matrices change.

#include <gtest/gtest.h>

#include "compute/core/border.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

class SeparableCuda : public ::testing::TestWithParam<Border> {
 protected:
  void SetUp() override {
    if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  }
  void expect_equal(std::string_view name, const Settings& settings, int channels, int width, int height) {
    const AlgorithmInfo& algorithm = find_algorithm(name);
    RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults()};
    request.params.assign("border", border_names[static_cast<std::size_t>(GetParam())]);
    const Shape shape = Shape::image(Element::u8, channels, width, height);
    std::string label = std::string(name) + " " + to_string(shape);
    for (const auto& [field, value] : settings) {
      request.params.assign(field, value);
      label += " " + field + "=" + value;
    }
    SCOPED_TRACE(label);
    const HostArray input = make_synthetic(InputPattern::noise, shape, 7);
    request.backend = Backend::serial;
    const HostArray expected = runner_.run(request, input.view()).output;
    request.backend = Backend::cuda;
    EXPECT_EQ(difference(expected, runner_.run(request, input.view()).output), "");
  }

 private:
  Runner runner_;
};

TEST_P(SeparableCuda, EveryKindOfBand) {
  for (const int channels : {1, 4}) {
    // The radii at which the reach of the bands changes between 8, 16 and 32 bytes, and widths that end inside a strip,
    // inside a word and at the end of both.
    for (const int radius : {1, 2, 3, 4, 5, 8, 9, 16, 17, 24, 25, 32})
      for (const auto& [width, height] : {std::pair{2 * radius + 16, 2 * radius + 16}, {165, 133}, {166, 90}})
        if (width >= 2 * radius + 16 && height >= 2 * radius + 16)
          expect_equal("gaussian", {{"sigma", "3.7"}, {"radius", std::to_string(radius)}}, channels, width, height);
    for (const char* sigma : {"0.2", "0.5", "0.7", "1"})  // weights near 1 have the most bits
      expect_equal("gaussian", {{"sigma", sigma}}, channels, 165, 70);
    for (const int size : {3, 7, 9, 17, 31})
      expect_equal("mean", {{"size", std::to_string(size)}}, channels, 167, 95);
    for (const int size : {3, 5, 7, 9})
      expect_equal("weighted_mean", {{"size", std::to_string(size)}}, channels, 81, 95);
    for (const char* sigma : {"0.25", "0.5", "0.75", "1"})  // radius 1 to 4, in strips
      expect_equal("sharpen", {{"amount", "2.5"}, {"sigma", sigma}}, channels, 99, 70);
    expect_equal("sharpen", {{"sigma", "4"}}, channels, 99, 70);
    expect_equal("sharpen", {{"sigma", "8"}}, channels, 99, 90);
    for (const char* sigma : {"1.4", "3", "8"})
      expect_equal("laplacian_of_gaussian", {{"sigma", sigma}}, channels, 161, 83);
  }
}
INSTANTIATE_TEST_SUITE_P(Borders, SeparableCuda, ::testing::ValuesIn(borders));

}  // namespace
}  // namespace threadscape::testing
