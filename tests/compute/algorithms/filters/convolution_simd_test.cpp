// The OpenMP backends of convolution and sobel against serial: random parameters, every instruction set, and several
// numbers of threads.

#include "compute/algorithms/filters/convolution/openmp/convolution_simd.h"

#include <atomic>

#include "compute/algorithms/edges/sobel/sobel.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using convolution::Method;

Convolution::Params random_params(std::mt19937& random, int size, Method method) {
  Convolution::Params params;
  params.size = size;
  params.preset = Convolution::Preset::custom;
  params.mask.clear();
  int left = 127;
  for (int i = 0; i < size * size; ++i) {
    int value = 0;  // in units
    switch (method) {
      case Method::bytes:
        value = std::min(static_cast<int>(random() % 41), left);
        left -= value;
        params.mask.push_back(static_cast<float>(random() % 2 == 0 ? value : -value) * 0.5f);
        break;
      case Method::words:
        params.mask.push_back(static_cast<float>(static_cast<int>(random() % 1201) - 600));
        break;
      case Method::floats:
        params.mask.push_back(static_cast<float>(static_cast<int>(random() % 1201) - 600) * 0.01f);
        break;
    }
  }
  if (method == Method::bytes) params.mask[0] = 0.5f;  // so that the unit is 1/2
  if (method == Method::words) params.mask[0] = 601.0f;
  std::shuffle(params.mask.begin(), params.mask.end(), random);
  params.divisor = method == Method::bytes ? std::array{0.5f, 1.0f, 4.5f, -8.0f}[random() % 4]
                                           : std::array{1.0f, 3.7f, 640.0f, -2000.0f, 0.01f}[random() % 5];
  params.bias = std::array{0.0f, 3.0f, -7.0f, 0.0f}[random() % 4];
  if (method != Method::bytes && random() % 2 == 0) params.bias = 100.25f;
  params.absolute = random() % 2 == 0;
  params.border = borders[random() % borders.size()];
  return params;
}

TEST(ConvolutionSimd, EveryMethodOnEveryInstructionSet) {
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 40}, {3, 2}, {63, 33}, {65, 64}, {129, 31}, {200, 3}, {640, 34}, {1100, 2}}};
  for_each_simd_target([&] {
    std::mt19937 random(11);
    for (const Method method : {Method::bytes, Method::words, Method::floats})
      for (const int size : {3, 5, 7, 9})
        for (const auto& [width, height] : sizes) {
          Convolution::Params params = random_params(random, size, method);
          ASSERT_EQ(convolution::SimdPlan(Convolution::plan(params)).method, method) << to_json(ParamBox::of(params));
          const auto grey = random_image<std::uint8_t>(width, height, random());
          ASSERT_EQ(difference(run_on<Convolution>(Backend::openmp, params, grey),
                               run_on<Convolution>(Backend::serial, params, grey)),
                    "")
              << to_json(ParamBox::of(params));
          params.channels = random() % 2 == 0 ? Channels::each : Channels::luma;
          const auto colour = random_image<Rgba8>(width, height, random());
          ASSERT_EQ(difference(run_on<Convolution>(Backend::openmp, params, colour),
                               run_on<Convolution>(Backend::serial, params, colour)),
                    "")
              << to_json(ParamBox::of(params));
        }
  });
}

/// The largest sums that 16 bits must hold: white pixels under a mask whose absolute taps add up to 128.
TEST(ConvolutionSimd, SixteenBitSumsDoNotOverflow) {
  for_each_simd_target([] {
    const auto white = grey_image(130, 9, std::vector<int>(130 * 9, 255));
    for (const float sign : {1.0f, -1.0f})
      for (const bool absolute : {false, true}) {
        Convolution::Params params;
        params.preset = Convolution::Preset::custom;
        params.mask = {64 * sign, 0, 0, 0, 0, 0, 0, 1 * sign, 63 * sign};
        params.divisor = 128.0f;
        params.absolute = absolute;
        ASSERT_EQ(convolution::SimdPlan(Convolution::plan(params)).method, Method::bytes);
        ASSERT_EQ(difference(run_on<Convolution>(Backend::openmp, params, white),
                             run_on<Convolution>(Backend::serial, params, white)),
                  "");
      }
  });
}

TEST(SobelSimd, EveryInstructionSet) {
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 40}, {3, 2}, {63, 33}, {65, 64}, {129, 31}, {200, 3}, {640, 34}, {1100, 2}}};
  for_each_simd_target([&] {
    unsigned seed = 1;
    for (const Sobel::Norm norm : {Sobel::Norm::l1, Sobel::Norm::l2})
      for (const Border border : borders)
        for (const auto& [width, height] : sizes) {
          const auto grey = random_image<std::uint8_t>(width, height, ++seed);
          const auto colour = random_image<Rgba8>(width, height, ++seed);
          const Sobel::Params params{{norm, border, Channels::each}}, luma{{norm, border, Channels::luma}};
          ASSERT_EQ(
              difference(run_on<Sobel>(Backend::openmp, params, grey), run_on<Sobel>(Backend::serial, params, grey)),
              "");
          ASSERT_EQ(difference(run_on<Sobel>(Backend::openmp, params, colour),
                               run_on<Sobel>(Backend::serial, params, colour)),
                    "");
          ASSERT_EQ(
              difference(run_on<Sobel>(Backend::openmp, luma, colour), run_on<Sobel>(Backend::serial, luma, colour)),
              "");
        }
  });
}

TEST(NeighbourhoodOpenMp, ThreadCountChangesNothing) {
  const auto in = random_image<Rgba8>(131, 203, 5);
  Convolution::Params convolution;
  convolution.mask = {0.1f, 0.2f, 0.3f, 0.4f, -0.5f, 0.6f, 0.7f, 0.8f, 0.9f};
  convolution.preset = Convolution::Preset::custom;
  const auto one = run_on<Convolution>(Backend::openmp, convolution, in, 1);
  const auto edges = run_on<Sobel>(Backend::openmp, {}, in, 1);
  for (const int threads : {2, 7, 64}) {
    EXPECT_EQ(difference(run_on<Convolution>(Backend::openmp, convolution, in, threads), one), "");
    EXPECT_EQ(difference(run_on<Sobel>(Backend::openmp, {}, in, threads), edges), "");
  }
}

TEST(NeighbourhoodOpenMp, ReportsProgressAndStops) {
  const auto in = random_image<std::uint8_t>(64, 200, 6);
  HostArray out(in.shape());
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    Progress progress;
    std::stop_source stop;
    HostRun run;
    run.in = in.view();
    run.out = out.view();
    run.threads = 2;
    run.stop = stop.get_token();
    run.progress = &progress;
    const auto filter = [&] {
      backend == Backend::serial ? Convolution::serial({}, run) : Convolution::openmp({}, run);
    };
    filter();
    EXPECT_EQ(progress.done(), 1.0);
    std::memset(out.data(), 7, out.pitch() * 200);
    stop.request_stop();
    filter();  // stopped before it began: nothing is written
    EXPECT_EQ(out.image<std::uint8_t>()(10, 100), 7);
  }
}

}  // namespace
}  // namespace threadscape::testing
