// Convolution with masks beyond 9x9 on the GPU, all variants, against serial: every kind of mask, in pictures that no
// tile fits and in some that are smaller than the mask.

#include "compute/core/border.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/convolution_masks.h"

namespace threadscape::testing {
namespace {

TEST(ConvolutionLargeCuda, EveryVariantEqualsSerial) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  constexpr std::array<std::array<int, 3>, 7> cases{
      {{11, 140, 37}, {13, 1, 3}, {17, 128, 9}, {15, 260, 5}, {31, 64, 20}, {63, 33, 6}, {29, 16, 34}}};
  Runner runner;
  std::mt19937 random(23);
  for (const Mask kind : masks)
    for (const auto& one : cases) {
      const int size = one[0], width = one[1], height = one[2];
      Convolution::Params params = random_params(random, size, kind);
      params.channels = random() % 2 == 0 ? Channels::each : Channels::luma;
      const auto check = [&](const HostArray& in) {
        RunRequest request{.algorithm = &find_algorithm("convolution"), .params = ParamBox::of(params)};
        request.backend = Backend::serial;
        const HostArray expected = runner.run(request, in.view()).output;
        request.backend = Backend::cuda;
        for (request.variant = 0; request.variant < static_cast<int>(Convolution::cuda_variants.size());
             ++request.variant)
          ASSERT_EQ(difference(runner.run(request, in.view()).output, expected), "")
              << Convolution::cuda_variants[static_cast<std::size_t>(request.variant)].name << " size " << size
              << " kind " << static_cast<int>(kind) << " border "
              << border_names[static_cast<std::size_t>(params.border)];
      };
      const auto grey = random_image<std::uint8_t>(width, height, random());
      const auto colour = random_image<Rgba8>(width, height, random());
      check(grey);
      check(float_picture(grey));
      check(colour);
      check(float_picture(colour));
    }
}

}  // namespace
}  // namespace threadscape::testing
