// The median on the GPU, all variants, against serial: all kinds of pixels, and windows around the largest network.

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/core/border.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

TEST(MedianCuda, EveryVariantEqualsSerial) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  Runner runner;
  unsigned seed = 1;
  for (const int size : {3, 5, 9, 11, 27})
    for (const int percentile : {0, 50, 83})
      for (const Border border : borders) {
        const Channels channels = ++seed % 2 == 0 ? Channels::each : Channels::luma;
        const Median::Params params{size, percentile, border, channels};
        const auto check = [&](const HostArray& in) {
          RunRequest request{.algorithm = &find_algorithm("median"), .params = ParamBox::of(params)};
          request.backend = Backend::serial;
          const HostArray expected = runner.run(request, in.view()).output;
          request.backend = Backend::cuda;
          for (request.variant = 0; request.variant < static_cast<int>(Median::cuda_variants.size()); ++request.variant)
            ASSERT_EQ(difference(runner.run(request, in.view()).output, expected), "")
                << Median::cuda_variants[static_cast<std::size_t>(request.variant)].name << " size " << size
                << " percentile " << percentile << " border " << border_names[static_cast<std::size_t>(border)];
        };
        const auto grey = random_image<std::uint8_t>(39, 13, ++seed);
        const auto colour = random_image<Rgba8>(21, 10, ++seed);
        check(grey);
        check(float_picture(grey));
        check(colour);
        check(float_picture(colour));
      }
}

/// One size for each layout of counts, and pictures of several strips and of fewer rows than the window.
TEST(MedianCuda, HistogramsOfEveryLayoutEqualSerialOnTheEmulatedDevice) {
  gpu::Device& device = gpu::devices().emulated();
  if (!device.available()) GTEST_SKIP() << device.obstacle();
  Runner runner;
  const auto grey = random_image<std::uint8_t>(240, 40, 1);
  const auto colour = random_image<Rgba8>(45, 21, 2);
  unsigned turn = 0;
  for (const int size : {3, 17, 31, 33, 75})
    for (const int percentile : {0, 50, 83}) {
      const Median::Params params{size, percentile, borders[turn % std::size(borders)],
                                  turn % 2 == 0 ? Channels::each : Channels::luma};
      ++turn;
      for (const HostArray* const in : {&grey, &colour}) {
        RunRequest request{.algorithm = &find_algorithm("median"), .params = ParamBox::of(params)};
        const HostArray expected = runner.run(request, in->view()).output;
        request.backend = Backend::cuda;
        request.device = &device;
        request.variant = 3;
        ASSERT_EQ(Median::cuda_variants[3].name, "histogram");
        ASSERT_EQ(difference(runner.run(request, in->view()).output, expected), "")
            << "size " << size << " percentile " << percentile;
      }
    }
}

}  // namespace
}  // namespace threadscape::testing
