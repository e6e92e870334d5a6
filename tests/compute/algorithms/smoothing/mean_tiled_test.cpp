// The CUDA kernel for small means, compiled for the host: the threads of a grid run one after the other, as in
// convolution_tiled_test.cpp.

#include "compute/algorithms/smoothing/mean/mean_tiled.h"

#include "compute/algorithms/smoothing/mean/mean.h"
#include "compute/engines/planes/planes.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

template <int radius>
HostArray run_tiled_mean(const Mean::Params& params, const HostArray& in, bool aligned) {
  HostArray out(in.shape());
  with_planes<std::uint8_t>(in.shape(), params.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const HostStore<Pixel> store{out.image<Pixel>(), aligned};
    const ImageView<const Pixel> view = in.image<Pixel>();
    filter_patches<P>(mean::MeanPatches<radius>{}, view, params.border, aligned, store);
  });
  return out;
}

template <int radius>
void expect_serial_means() {
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 7}, {3, 2}, {4, 4}, {16, 5}, {31, 33}, {67, 19}, {64, 16}, {130, 41}}};
  unsigned seed = 1;
  for (const Border border : borders)
    for (const auto& [width, height] : sizes)
      for (const bool aligned : {true, false}) {
        const auto grey = random_image<std::uint8_t>(width, height, ++seed);
        const auto colour = random_image<Rgba8>(width, height, ++seed);
        const Mean::Params params{2 * radius + 1, border, Channels::each}, luma{2 * radius + 1, border, Channels::luma};
        const auto expected = [](const Mean::Params& p, const HostArray& in) {
          return run_on_scratch<Mean>(Backend::serial, p, in);
        };
        ASSERT_EQ(difference(run_tiled_mean<radius>(params, grey, aligned), expected(params, grey)), "");
        ASSERT_EQ(difference(run_tiled_mean<radius>(params, colour, aligned), expected(params, colour)), "");
        ASSERT_EQ(difference(run_tiled_mean<radius>(luma, colour, aligned), expected(luma, colour)), "");
      }
}

TEST(MeanTiled, EqualsSerialForEveryRadius) {
  expect_serial_means<1>();
  expect_serial_means<2>();
}

TEST(MeanTiled, DividesAllSumsToTheNearest) {
  for (const std::uint32_t count : {9u, 25u}) {
    const auto division = mean::Division::by(count);
    for (std::uint32_t sum = 0; sum <= 255 * count; ++sum)
      ASSERT_EQ(division.of(sum) >> 24, (sum + count / 2) / count) << sum << " / " << count;
  }
}

}  // namespace
}  // namespace threadscape::testing
