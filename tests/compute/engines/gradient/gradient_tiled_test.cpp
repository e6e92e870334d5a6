// The threads of the default CUDA kernel of gradient filters, run on the host one after the other. See also
// tests/compute/algorithms/filters/convolution_tiled_test.cpp.

#include "compute/engines/gradient/gradient_tiled.h"

#include "compute/algorithms/edges/sobel/sobel.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

HostArray run_tiled(const Sobel::Params& params, const HostArray& in, bool aligned) {
  HostArray out(in.shape());
  const gradient::Plan plan = Sobel::plan(params);
  with_planes<std::uint8_t>(in.shape(), plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const HostStore<Pixel> store{out.image<Pixel>(), aligned};
    const ImageView<const Pixel> view = in.image<Pixel>();
    using namespace gradient;  // NOLINT: a few names of it
    if (plan.norm == Norm::l1)
      filter_patches<P>(GradientPatches<SobelMask, Norm::l1>{}, view, plan.border, aligned, store);
    else
      filter_patches<P>(GradientPatches<SobelMask, Norm::l2>{}, view, plan.border, aligned, store);
  });
  return out;
}

TEST(SobelTiled, EqualsSerial) {
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 7}, {3, 2}, {4, 4}, {16, 5}, {31, 33}, {67, 9}, {64, 16}, {130, 41}}};
  unsigned seed = 1;
  for (const Sobel::Norm norm : {Sobel::Norm::l1, Sobel::Norm::l2})
    for (const Border border : borders)
      for (const auto& [width, height] : sizes)
        for (const bool aligned : {true, false}) {
          const auto grey = random_image<std::uint8_t>(width, height, ++seed);
          const auto colour = random_image<Rgba8>(width, height, ++seed);
          const Sobel::Params params{{norm, border, Channels::each}}, luma{{norm, border, Channels::luma}};
          ASSERT_EQ(difference(run_tiled(params, grey, aligned), run_on<Sobel>(Backend::serial, params, grey)), "");
          ASSERT_EQ(difference(run_tiled(params, colour, aligned), run_on<Sobel>(Backend::serial, params, colour)), "");
          ASSERT_EQ(difference(run_tiled(luma, colour, aligned), run_on<Sobel>(Backend::serial, luma, colour)), "");
        }
}

}  // namespace
}  // namespace threadscape::testing
