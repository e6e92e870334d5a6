// The threads of the default CUDA kernels, run on the host one after the other: the same code that the GPU runs, but
// with C++ in place of a few instructions (IDP.4A, PRMT, VIMNMX). Results must be those of the serial backend.

#include "compute/algorithms/filters/convolution/cuda/convolution_tiled.h"
#include "compute/core/border.h"

#include <algorithm>
#include <bit>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/engines/planes/planes.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using convolution::Mode;

template <class P, int size, Mode mode>
void run_grid(const convolution::TiledPlan& plan, Border border, ImageView<const typename P::Pixel> in,
              const HostStore<typename P::Pixel>& store) {
  filter_patches<P>(convolution::ConvolutionPatches<size, mode>{plan}, in, border, store.aligned, store);
}

template <class P, int size>
void run_grid(const convolution::TiledPlan& plan, Border border, ImageView<const typename P::Pixel> in,
              const HostStore<typename P::Pixel>& store) {
  switch (plan.mode) {
    case Mode::dot:
      return run_grid<P, size, Mode::dot>(plan, border, in, store);
    case Mode::two_dots:
      return run_grid<P, size, Mode::two_dots>(plan, border, in, store);
    case Mode::ordered:
      return run_grid<P, size, Mode::ordered>(plan, border, in, store);
  }
}

HostArray run_tiled(const Convolution::Params& params, const HostArray& in, bool aligned) {
  HostArray out(in.shape());
  const convolution::Plan plan = Convolution::plan(params);
  with_planes<std::uint8_t>(in.shape(), plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const convolution::TiledPlan tiled = tiled_plan(plan);
    const HostStore<Pixel> store{out.image<Pixel>(), aligned};
    const auto view = in.image<Pixel>();
    switch (plan.size) {
      case 3:
        return run_grid<P, 3>(tiled, plan.border, view, store);
      case 5:
        return run_grid<P, 5>(tiled, plan.border, view, store);
      case 7:
        return run_grid<P, 7>(tiled, plan.border, view, store);
      default:
        return run_grid<P, 9>(tiled, plan.border, view, store);
    }
  });
  return out;
}

Convolution::Params random_tiled_params(std::mt19937& random, int size, Mode mode) {
  Convolution::Params params;
  params.size = size;
  params.preset = Convolution::Preset::custom;
  params.mask.clear();
  for (int i = 0; i < size * size; ++i) {
    const int value = static_cast<int>(random() % 255) - 127;
    params.mask.push_back(mode == Mode::dot        ? static_cast<float>(value / 4) * 0.25f
                          : mode == Mode::two_dots ? static_cast<float>(value * 6 + 1)
                                                   : static_cast<float>(value) * 0.01f);
  }
  params.divisor = std::array{1.0f, 2.0f, 7.0f, 16.0f, 1000.0f, -3.0f, 0.3f, 32768.0f}[random() % 8];
  params.bias = std::array{0.0f, 0.0f, 128.0f, -20.0f, 0.5f}[random() % 5];
  params.absolute = random() % 2 == 0;
  return params;
}

class ConvolutionTiled : public ::testing::TestWithParam<int> {};

TEST_P(ConvolutionTiled, EqualsSerial) {
  const int size = GetParam();
  std::mt19937 random(static_cast<unsigned>(size));
  constexpr std::array<std::array<int, 2>, 9> sizes{
      {{1, 1}, {1, 7}, {3, 2}, {4, 4}, {16, 5}, {31, 33}, {67, 9}, {64, 16}, {130, 41}}};
  for (const Mode mode : {Mode::dot, Mode::two_dots, Mode::ordered})
    for (const Border border : borders)
      for (const auto& [width, height] : sizes) {
        Convolution::Params params = random_tiled_params(random, size, mode);
        params.border = border;
        ASSERT_EQ(convolution::tiled_plan(Convolution::plan(params)).mode, mode);
        const auto grey = random_image<std::uint8_t>(width, height, random());
        const auto colour = random_image<Rgba8>(width, height, random());
        for (const bool aligned : {true, false}) {
          SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + " mode " +
                       std::to_string(static_cast<int>(mode)) + " border " +
                       std::string(border_names[static_cast<std::size_t>(border)]) + (aligned ? " aligned" : ""));
          ASSERT_EQ(difference(run_tiled(params, grey, aligned), run_on<Convolution>(Backend::serial, params, grey)),
                    "");
          for (const Channels channels : {Channels::each, Channels::luma}) {
            params.channels = channels;
            ASSERT_EQ(
                difference(run_tiled(params, colour, aligned), run_on<Convolution>(Backend::serial, params, colour)),
                "");
          }
        }
      }
}
INSTANTIATE_TEST_SUITE_P(Sizes, ConvolutionTiled, ::testing::Values(3, 5, 7, 9));

/// The divisions of the fast kernels against the integer definition, for all sums whose results are not saturated.
TEST(ConvolutionTiledFinish, EqualsIntegersForEverySum) {
  constexpr int max_power = 1 << 16;
  for (int divisor = 1; divisor <= max_power; divisor += divisor < 128 ? 1 : divisor < max_whole_divisor ? 97 : divisor)
    for (const bool absolute : {false, true}) {
      if (divisor > max_whole_divisor) divisor = static_cast<int>(std::bit_floor(unsigned(divisor)));
      convolution::Plan plan;
      plan.exact = true;
      plan.finish = {.divisor = static_cast<float>(divisor), .absolute = absolute};
      if (divisor <= max_whole_divisor) plan.whole = {true, divisor, 0, absolute};
      plan.max_unit = 1;
      plan.units[0] = 1;
      const WholeFinish whole{true, divisor, 0, absolute};
      const int limit = 257 * divisor, step = divisor > max_whole_divisor ? 7 : 1;
      if (plan.whole.possible && (divisor > 1 || absolute)) {
        const convolution::TiledPlan tiled = tiled_plan(plan);
        ASSERT_EQ(tiled.finishing, convolution::Finishing::scale);
        const auto result = [&](int n) { return convolution::finish_byte(static_cast<float>(n), tiled) & 0xff; };
        for (int n = -limit; n <= limit; ++n)
          ASSERT_EQ(result(n), finish_whole(n, whole)) << n << " / " << divisor;
        for (const int n : {(1 << 22) - 1, -(1 << 22) + 1})
          ASSERT_EQ(result(n), finish_whole(n, whole)) << n << " / " << divisor;
      }
      plan.max_unit = 128;  // more than a byte
      const convolution::TiledPlan tiled = tiled_plan(plan);
      if (divisor == 1 && !absolute) {
        ASSERT_EQ(tiled.finishing, convolution::Finishing::saturate);
        continue;
      }
      ASSERT_EQ(tiled.finishing, convolution::Finishing::multiply);
      const int factor = divisor == 1 ? 4 : divisor == 2 ? 2 : 1;  // by which small divisors and their masks grow
      const auto result = [&](int n) {
        return std::clamp(convolution::finish_scaled(factor * n + tiled.start, tiled), 0, 255);
      };
      for (int n = -limit; n <= limit; n += step)
        ASSERT_EQ(result(n), finish_whole(n, whole)) << n << " / " << divisor;
      for (const int n : {(1 << 24) - 1, -(1 << 24) + 1})
        ASSERT_EQ(result(n), finish_whole(n, whole)) << n << " / " << divisor;
    }
}

/// Divisors beyond those of WholeFinish: the integers that the kernels use against the float definition.
TEST(ConvolutionTiledFinish, PowersOfTwoNeedNoRounding) {
  for (int divisor = 1; divisor <= 1 << 16; divisor *= 2)
    for (const bool absolute : {false, true}) {
      convolution::Plan plan;
      plan.finish = {.divisor = static_cast<float>(divisor), .absolute = absolute};
      const WholeFinish whole = convolution::whole_finish(plan);
      ASSERT_TRUE(whole.possible);
      for (int n = -257 * divisor; n <= 257 * divisor; n += divisor > 256 ? 5 : 1)
        if (std::abs(n) < 1 << 24) {
          ASSERT_EQ(finish_whole(n, whole), finish_u8(static_cast<float>(n), plan.finish)) << n << " / " << divisor;
        }
    }
}

TEST(ConvolutionTiledWords, PickBytesAndTranspose) {
  EXPECT_EQ(pick_bytes(0x03020100u, 0x07060504u, 0x7351u), 0x07030501u);
  const WordGroup<4> t = transpose({0x03020100u, 0x13121110u, 0x23222120u, 0x33323130u});
  EXPECT_EQ(t.word[0], 0x30201000u);
  EXPECT_EQ(t.word[1], 0x31211101u);
  EXPECT_EQ(t.word[2], 0x32221202u);
  EXPECT_EQ(t.word[3], 0x33231303u);
}

}  // namespace
}  // namespace threadscape::testing
