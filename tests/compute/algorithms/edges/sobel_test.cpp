// Sobel: cases with known answers.

#include "compute/algorithms/edges/sobel/sobel.h"

#include <cmath>

#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using SobelParams = Sobel::Params;

int grey_at(const HostArray& image, int x, int y) {
  return image.image<std::uint8_t>()(x, y);
}

TEST(Sobel, ConstantHasNoEdges) {
  const auto in = grey_image(40, 11, std::vector<int>(40 * 11, 200));
  const auto black = grey_image(40, 11, std::vector<int>(40 * 11, 0));
  for (const Backend backend : host_backends)
    for (const Border border : {Border::clamp, Border::mirror, Border::reflect, Border::wrap})
      for (const Sobel::Norm norm : {Sobel::Norm::l1, Sobel::Norm::l2})
        EXPECT_EQ(difference(run_on<Sobel>(backend, {{norm, border, Channels::each}}, in), black), "");
}

TEST(Sobel, RampsGiveEightTimesTheirSlope) {
  std::vector<int> ramp;
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 50; ++x)
      ramp.push_back(3 * x + 4 * y);
  const auto in = grey_image(50, 12, ramp);
  for (const Backend backend : host_backends) {
    const auto l1 = run_on<Sobel>(backend, {{Sobel::Norm::l1, Border::clamp, Channels::each}}, in);
    const auto l2 = run_on<Sobel>(backend, {{Sobel::Norm::l2, Border::clamp, Channels::each}}, in);
    for (int y = 1; y < 11; ++y)
      for (int x = 1; x < 49; ++x) {
        ASSERT_EQ(grey_at(l1, x, y), 8 * 3 + 8 * 4);
        ASSERT_EQ(grey_at(l2, x, y), 8 * 5);
      }
  }
}

TEST(Sobel, ValidKeepsTheBorder) {
  const auto in = random_image<std::uint8_t>(70, 40, 2);
  for (const Backend backend : host_backends) {
    const auto out = run_on<Sobel>(backend, {{Sobel::Norm::l1, Border::valid, Channels::each}}, in);
    const auto inner = run_on<Sobel>(backend, {{Sobel::Norm::l1, Border::zero, Channels::each}}, in);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 70; ++x) {
        const bool border = x == 0 || y == 0 || x == 69 || y == 39;
        ASSERT_EQ(grey_at(out, x, y), grey_at(border ? in : inner, x, y));
      }
  }
}

TEST(Sobel, StrengthIsTheRoundedRootForAllGradients) {
  constexpr int largest = 4 * 255;
  for (int x = 0; x <= largest; x += 3)
    for (int y = -largest; y <= largest; ++y) {
      const auto exact = std::floor(std::sqrt(static_cast<double>(x * x + y * y)) + 0.5);
      ASSERT_EQ(gradient::strength(x, y, Sobel::Norm::l2), static_cast<int>(std::min(exact, 255.0)));
      ASSERT_EQ(gradient::strength(x, y, Sobel::Norm::l1), std::min(x + std::abs(y), 255));
    }
}

TEST(Sobel, AlphaIsKept) {
  const auto in = random_image<Rgba8>(33, 20, 9);
  for (const Backend backend : host_backends)
    for (const Channels channels : {Channels::each, Channels::luma}) {
      const auto out = run_on<Sobel>(backend, {{Sobel::Norm::l1, Border::wrap, channels}}, in);
      for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 33; ++x) {
          const Rgba8 p = out.image<Rgba8>()(x, y);
          ASSERT_EQ(p.a, in.image<Rgba8>()(x, y).a);
          ASSERT_TRUE(channels == Channels::each || (p.r == p.g && p.g == p.b));
        }
    }
}

TEST(Sobel, RefusesOtherPictures) {
  EXPECT_THROW((void)Sobel::output_shape({}, Shape::image(Element::u16, 1, 4, 4)), UsageError);
}

}  // namespace
}  // namespace threadscape::testing
