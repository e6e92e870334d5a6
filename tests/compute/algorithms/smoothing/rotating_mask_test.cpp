// Rotating mask: results with masks drawn by hand, edges, and the masks of all sizes.

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"

#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

using RotatingMaskParams = RotatingMask::Params;
using Method = RotatingMask::Method;

TEST(RotatingMask, MasksDrawnByHand) {
  for_each_stored_case("smoothing.json", "rotating_mask", [](const nlohmann::json& one) {
    const auto method = one.at("params").at("method") == "nagao" ? Method::nagao : Method::kuwahara;
    const RotatingMaskParams params{one.at("params").at("size"), method, border_of(one), Channels::each};
    for (const Backend backend : host_backends)
      EXPECT_EQ(difference(run_on_scratch<RotatingMask>(backend, params, stored_image(one, "input")),
                           stored_image(one, "output")),
                "")
          << one.at("params") << " " << one.at("border");
  });
}

TEST(RotatingMask, MasksOfOneMethodAreEquallyLargeButTheSquare) {
  for (int radius = 1; radius <= rotating_mask::max_radius; ++radius) {
    for (int mask = 1; mask < 9; ++mask)
      EXPECT_EQ(rotating_mask::pixels_of(Method::nagao, mask, radius),
                rotating_mask::pixels_of(Method::nagao, 1, radius));
    for (int mask = 0; mask < 4; ++mask)
      EXPECT_EQ(rotating_mask::pixels_of(Method::kuwahara, mask, radius), (radius + 1) * (radius + 1));
    EXPECT_LE(rotating_mask::pixels_of(Method::nagao, 0, radius), 25);  // products of spreads then fit 32 bits
  }
  EXPECT_EQ(rotating_mask::pixels_of(Method::nagao, 0, 2), 9);
  EXPECT_EQ(rotating_mask::pixels_of(Method::nagao, 1, 2), 7);
}

TEST(RotatingMask, KeepsStepEdgesSharp) {
  std::vector<int> upright, level, slanted;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 80; ++x) {
      upright.push_back(x < 37 ? 30 : 200);
      level.push_back(y < 19 ? 30 : 200);
      slanted.push_back(x < y + 20 ? 30 : 200);
    }
  for (const auto& values : {upright, level, slanted})
    for (int size = 3; size <= rotating_mask::max_size; size += 2)
      for (const Method method : {Method::nagao, Method::kuwahara})
        for (const Backend backend : host_backends) {
          if (method == Method::kuwahara && values == slanted) continue;  // no quadrant lies along a diagonal
          const auto in = grey_image(80, 40, values);
          const RotatingMaskParams params{size, method, Border::clamp, Channels::each};
          const auto out = run_on_scratch<RotatingMask>(backend, params, in);
          EXPECT_EQ(difference(out, in), "") << size;
          const auto floats = as_floats(in);
          EXPECT_EQ(difference(run_on_scratch<RotatingMask>(backend, params, floats), floats), "") << size;
        }
}

/// Pictures of 0 and 255 only, where spreads and their products are largest.
TEST(RotatingMask, ExtremeContrastIsComparedExactly) {
  HostArray in = random_image<std::uint8_t>(120, 40, 8);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 120; ++x)
      in.image<std::uint8_t>()(x, y) = in.image<std::uint8_t>()(x, y) < 128 ? 0 : 255;
  for (int size = 3; size <= rotating_mask::max_size; size += 2)
    for (const Method method : {Method::nagao, Method::kuwahara}) {
      const RotatingMaskParams params{size, method, Border::wrap, Channels::each};
      const auto expected = run_on_scratch<RotatingMask>(Backend::serial, params, in);
      for_each_simd_target([&] {
        EXPECT_EQ(difference(run_on_scratch<RotatingMask>(Backend::openmp, params, in, 2), expected), "") << size;
      });
    }
}

TEST(RotatingMask, AlphaIsKept) {
  for (const Method method : {Method::nagao, Method::kuwahara})
    expect_alpha_kept<RotatingMask>({5, method, Border::reflect, Channels::each});
}

TEST(RotatingMask, RefusesWhatItCannotDo) {
  EXPECT_THROW((void)RotatingMask::output_shape({}, Shape::image(Element::u16, 1, 4, 4)), UsageError);
  ParamBox params = ParamBox::of(RotatingMaskParams{});
  for (const char* size : {"1", "4", "11"})
    EXPECT_THROW(params.assign("size", size), UsageError) << size;
  EXPECT_THROW(params.assign("method", "hexagon"), UsageError);
}

}  // namespace
}  // namespace threadscape::testing
