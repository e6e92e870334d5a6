// The threads of the CUDA kernel of Laplacians, run on the host one after the other. See also
// tests/compute/algorithms/filters/convolution_tiled_test.cpp.

#include "compute/algorithms/edges/laplacian/laplacian_tiled.h"

#include "compute/engines/planes/planes.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using laplacian::Neighbours;

template <Neighbours kind>
HostArray run_tiled(const Laplacian::Params& params, const HostArray& in, bool aligned) {
  HostArray out(in.shape());
  with_planes<std::uint8_t>(in.shape(), params.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const HostStore<Pixel> store{out.image<Pixel>(), aligned};
    const ImageView<const Pixel> view = in.image<Pixel>();
    const laplacian::LaplacianPatches<kind> filter{laplacian::OutputU16x2(params.output), {}};
    filter_patches<P>(filter, view, params.border, aligned, store);
  });
  return out;
}

template <Neighbours kind>
void expect_serial() {
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 7}, {3, 2}, {4, 4}, {16, 5}, {31, 33}, {67, 19}, {64, 16}, {130, 41}}};
  unsigned seed = 1;
  for (const Output output : {Output::absolute, Output::clamp, Output::offset})
    for (const Border border : borders)
      for (const auto& [width, height] : sizes)
        for (const bool aligned : {true, false}) {
          const auto grey = random_image<std::uint8_t>(width, height, ++seed);
          const auto colour = random_image<Rgba8>(width, height, ++seed);
          const Laplacian::Params each{kind, output, border, Channels::each},
              luma{kind, output, border, Channels::luma};
          const auto expected = [](const Laplacian::Params& params, const HostArray& in) {
            return run_on<Laplacian>(Backend::serial, params, in);
          };
          ASSERT_EQ(difference(run_tiled<kind>(each, grey, aligned), expected(each, grey)), "");
          ASSERT_EQ(difference(run_tiled<kind>(each, colour, aligned), expected(each, colour)), "");
          ASSERT_EQ(difference(run_tiled<kind>(luma, colour, aligned), expected(luma, colour)), "");
        }
}

TEST(LaplacianTiled, EqualsSerial) {
  expect_serial<Neighbours::four>();
  expect_serial<Neighbours::eight>();
  expect_serial<Neighbours::five>();
}

}  // namespace
}  // namespace threadscape::testing
