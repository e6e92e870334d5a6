// The threads of the CUDA kernels of 3x3 medians and of means with a threshold, run on the host one after the other.
// See also convolution_tiled_test.cpp.

#include "compute/algorithms/smoothing/median/cuda/median_tiled.h"

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"
#include "compute/algorithms/smoothing/threshold_mean/threshold_mean_tiled.h"
#include "compute/engines/planes/planes.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

template <class Filter, class Params>
HostArray run_tiled(const Filter& filter, const Params& params, const HostArray& in, bool aligned) {
  HostArray out(in.shape());
  with_planes<std::uint8_t>(in.shape(), params.channels, [&](auto planes) {
    using P = decltype(planes);
    const HostStore<typename P::Pixel> store{out.image<typename P::Pixel>(), aligned};
    filter_patches<P>(filter, in.image<typename P::Pixel>(), params.border, aligned, store);
  });
  return out;
}

template <class A, class Filter>
void expect_serial(const Filter& filter, typename A::Params params) {
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 7}, {3, 2}, {4, 4}, {16, 5}, {31, 33}, {67, 19}, {64, 16}, {130, 41}}};
  unsigned seed = 1;
  for (const Border border : borders)
    for (const Channels channels : {Channels::each, Channels::luma})
      for (const auto& [width, height] : sizes)
        for (const bool aligned : {true, false}) {
          params.border = border;
          params.channels = channels;
          for (const HostArray& in :
               {random_image<std::uint8_t>(width, height, ++seed), random_image<Rgba8>(width, height, ++seed)})
            ASSERT_EQ(
                difference(run_tiled(filter, params, in, aligned), run_on_scratch<A>(Backend::serial, params, in)), "");
        }
}

TEST(MedianTiled, EqualsSerial) {
  expect_serial<Median>(median::MedianPatches{}, {});
}

TEST(ThresholdMeanTiled, EqualsSerial) {
  for (const float threshold : {0.0f, 19.0f, 20.7f, 255.0f}) {
    ThresholdMean::Params params;
    params.threshold = threshold;
    expect_serial<ThresholdMean>(threshold_mean::ThresholdMeanPatches<1>(threshold), params);
  }
}

}  // namespace
}  // namespace threadscape::testing
