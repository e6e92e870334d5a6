// Which steps of a chain share a kernel, and on the GPU: fused, separate and serial chains of 3x3 filters give the same
// bytes.

#include "compute/algorithms/filters/chain/chain_fused.h"
#include "compute/core/border.h"

#include <gtest/gtest.h>

#include "compute/algorithms/filters/chain/chain.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

/// The number of steps that the first kernel of a chain runs.
int fused(std::string_view steps, const Shape& input) {
  std::vector<const Step*> on;
  const std::vector<Step> parsed = parse_steps(steps);
  for (const Step& step : parsed)
    on.push_back(&step);
  return chain::stages_of(on, input).count;
}
const Shape grey = Shape::image(Element::u8, 1, 100, 80), colour = Shape::image(Element::u8, 4, 100, 80);

TEST(ChainFused, TakesAllKindsOf3x3Filters) {
  EXPECT_EQ(fused("mean | weighted_mean | convolution | median | threshold_mean | laplacian | laplacian kind=eight | "
                  "sobel norm=l2",
                  colour),
            8);
  EXPECT_EQ(fused("prewitt | scharr norm=l2 output=clamp | convolution preset=box | convolution absolute=true", grey),
            4);
  EXPECT_EQ(fused("mean | mean | mean | mean | mean | mean | mean | mean | mean", grey), chain::max_stages);
}

TEST(ChainFused, LeavesOtherStepsAlone) {
  for (const char* other :
       {"mean size=5", "weighted_mean size=5", "convolution size=5", "convolution divisor=0.3", "median percentile=20",
        "median size=5", "threshold_mean size=5", "laplacian kind=five", "sobel output=offset", "sobel norm=x",
        "sobel directions=eight", "gaussian", "noise", "bilateral"}) {
    EXPECT_EQ(fused(std::string("mean | ") + other + " | mean", grey), 1) << other;
    EXPECT_EQ(fused(other, grey), 0) << other;
  }
}

TEST(ChainFused, ColoursChannelByChannelOnly) {
  EXPECT_EQ(fused("mean | mean channels=luma", colour), 1);
  EXPECT_EQ(fused("mean | mean channels=luma", grey), 2);
  EXPECT_EQ(fused("mean", Shape::image(Element::f32, 1, 9, 9)), 0);
  EXPECT_EQ(fused("mean", Shape::image(Element::f32, 4, 9, 9)), 0);
}

TEST(ChainFused, NothingButWrapBeforeWrap) {
  EXPECT_EQ(fused("mean border=wrap | sobel border=wrap | mean | mean border=zero", grey), 4);
  EXPECT_EQ(fused("mean | sobel border=wrap | mean", grey), 1);
  EXPECT_EQ(fused("mean border=wrap | mean | sobel border=wrap", grey), 2);
}

std::string random_steps(std::mt19937& random) {
  constexpr std::array filters{"mean",
                               "weighted_mean",
                               "convolution",
                               "convolution preset=emboss bias=128",
                               "convolution preset=box absolute=true",
                               "median",
                               "threshold_mean threshold=7.5",
                               "threshold_mean threshold=255",
                               "laplacian output=offset",
                               "laplacian output=clamp",
                               "laplacian kind=eight",
                               "sobel",
                               "sobel norm=l2",
                               "prewitt",
                               "scharr norm=l2",
                               "median size=5"};
  std::string steps;
  // Mostly one border for all steps, so that Border::wrap is fused as well.
  const Border usual = borders[random() % borders.size()];
  const int count = 1 + static_cast<int>(random() % 10);
  for (int i = 0; i < count; ++i) {
    const Border border = random() % 3 != 0 ? usual : borders[random() % borders.size()];
    steps += (i == 0 ? "" : " | ") + std::string(filters[random() % filters.size()]) +
             " border=" + std::string(border_names[static_cast<std::size_t>(border)]);
  }
  return steps;
}

TEST(ChainFused, EqualsSeparateStepsAndSerial) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  const AlgorithmInfo& chain = find_algorithm("chain");
  Runner runner;
  std::mt19937 random(11);
  // Pictures smaller than the halo of the stages, as wide as a tile, and across several tiles of grey (480 x 32) and
  // colour.
  constexpr std::array<std::array<int, 2>, 14> sizes{{{1, 1},
                                                      {2, 3},
                                                      {1, 9},
                                                      {7, 1},
                                                      {5, 6},
                                                      {17, 33},
                                                      {224, 16},
                                                      {225, 17},
                                                      {233, 40},
                                                      {480, 32},
                                                      {481, 33},
                                                      {487, 35},
                                                      {500, 70},
                                                      {963, 67}}};
  for (int round = 0; round < 6; ++round)
    for (const auto& [width, height] : sizes)
      for (const int channels : {1, 4}) {
        const Shape shape = Shape::image(Element::u8, channels, width, height);
        const HostArray input =
            make_synthetic(round % 2 == 0 ? InputPattern::noise : InputPattern::photo, shape, random());
        RunRequest request{.algorithm = &chain, .params = chain.defaults()};
        const std::string steps = random_steps(random);
        request.params.assign("steps", steps);
        request.backend = Backend::serial;
        const HostArray expected = runner.run(request, input.view()).output;
        request.backend = Backend::cuda;
        for (const std::string_view variant : {"fused", "separate"}) {
          request.variant = chain.variant_index(Backend::cuda, variant);
          ASSERT_EQ(difference(expected, runner.run(request, input.view()).output), "")
              << variant << ": " << steps << ", " << to_string(shape);
        }
      }
}

}  // namespace
}  // namespace threadscape::testing
