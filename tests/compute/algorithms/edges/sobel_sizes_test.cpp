// Sobel masks of sizes 3, 5 and 7, and angles, against derivatives by OpenCV (scripts/reference/sobel.py).

#include <cmath>
#include <numbers>

#include "compute/algorithms/edges/prewitt/prewitt.h"
#include "compute/algorithms/edges/scharr/scharr.h"
#include "compute/algorithms/edges/sobel/sobel.h"
#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

using gradient::Norm, gradient::Result;

Sobel::Params params_of(const nlohmann::json& one, Norm norm, Result output) {
  Sobel::Params params;
  params.size = one.at("size");
  params.border = border_of(one);
  params.norm = norm;
  params.output = output;
  return params;
}

/// 1, 16 and 256: the divisor of the sums by masks of size 3, 5 and 7.
double divisor_of(const nlohmann::json& one) {
  return std::pow(16.0, one.at("size").get<int>() / 2 - 1);
}

/// Calls f(index, gx, gy) for the pixels of a case, with the derivatives that OpenCV found.
template <class F>
void for_each_pixel(const nlohmann::json& one, const F& f) {
  const int width = one.at("width"), height = one.at("height");
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(y * width + x);
      f(x, y, one.at("x")[i].get<double>(), one.at("y")[i].get<double>());
    }
}

double strength_of(Norm norm, double gx, double gy) {
  return norm == Norm::l1   ? std::abs(gx) + std::abs(gy)
         : norm == Norm::l2 ? std::hypot(gx, gy)
         : norm == Norm::x  ? gx
                            : gy;
}

TEST(SobelSizes, BytesAreTheRoundedQuotientsOfOpenCv) {
  for_each_stored_case("sobel.json", "sobel", [](const nlohmann::json& one) {
    for (const Backend backend : host_backends)
      for (const Norm norm : {Norm::l1, Norm::l2, Norm::x, Norm::y})
        for (const Result output : {Result::absolute, Result::clamp, Result::offset}) {
          const auto result = run_on<Sobel>(backend, params_of(one, norm, output), stored_image(one, "input"), 2);
          for_each_pixel(one, [&](int x, int y, double gx, double gy) {
            // The result is rounded to nearest, halves up, and only then becomes a pixel.
            double value = std::floor(strength_of(norm, gx, gy) / divisor_of(one) + 0.5);
            if (output == Result::absolute) value = std::abs(value);
            if (output == Result::offset) value += 128.0;
            ASSERT_EQ(result.image<std::uint8_t>()(x, y), std::clamp(value, 0.0, 255.0)) << one.at("size");
          });
        }
  });
}

TEST(SobelSizes, FloatsAreTheQuotientsOfOpenCv) {
  for_each_stored_case("sobel.json", "sobel", [](const nlohmann::json& one) {
    for (const Backend backend : host_backends)
      for (const Norm norm : {Norm::l1, Norm::l2, Norm::x}) {
        const auto in = as_floats(stored_image(one, "input"));
        const auto result = run_on<Sobel>(backend, params_of(one, norm, Result::offset), in, 2);
        for_each_pixel(one, [&](int x, int y, double gx, double gy) {
          // At most 98 products with weights that add up to 2 * 1280, each rounded once: 98 * 2^-24 * 10 after the
          // division by 256.
          const double expected = strength_of(norm, gx, gy) / divisor_of(one) / 255.0 + 128.0 / 255.0;
          ASSERT_NEAR(result.image<float>()(x, y), expected, 6e-5) << one.at("size");
        });
      }
  });
}

TEST(SobelSizes, AnglesAreArcTangents) {
  for_each_stored_case("sobel.json", "sobel", [](const nlohmann::json& one) {
    for (const Backend backend : host_backends) {
      const auto result = run_on<Sobel>(backend, params_of(one, Norm::l1, Result::angle), stored_image(one, "input"));
      ASSERT_EQ(result.shape().element, Element::f32);
      for_each_pixel(one, [&](int x, int y, double gx, double gy) {
        double expected = std::atan2(gy, gx) / (2.0 * std::numbers::pi);
        if (expected < 0.0) expected += 1.0;
        ASSERT_NEAR(result.image<float>()(x, y), expected, 1e-7) << gx << " " << gy;  // the bound that turns() states
      });
    }
  });
}

TEST(SobelSizes, TurnsFollowTheCircle) {
  using gradient::turns;
  EXPECT_EQ(turns(0.0f, 0.0f), 0.0f);
  EXPECT_EQ(turns(3.0f, 0.0f), 0.0f);
  EXPECT_EQ(turns(0.0f, 2.0f), 0.25f);
  EXPECT_EQ(turns(-1.0f, 0.0f), 0.5f);
  EXPECT_EQ(turns(0.0f, -5.0f), 0.75f);
  EXPECT_EQ(turns(INFINITY, -INFINITY), 0.0f);
  EXPECT_EQ(turns(NAN, 1.0f), 0.0f);
  for (int i = 0; i < 100000; ++i) {
    const double turn = (i + 0.5) / 100000.0, angle = 2.0 * std::numbers::pi * turn;
    const auto x = static_cast<float>(1000.0 * std::cos(angle)), y = static_cast<float>(1000.0 * std::sin(angle));
    double exact = std::atan2(static_cast<double>(y), static_cast<double>(x)) / (2.0 * std::numbers::pi);
    if (exact < 0.0) exact += 1.0;
    ASSERT_NEAR(turns(x, y), exact, 1e-7);
  }
}

TEST(SobelSizes, AngleKeepsAlphaAndIsZeroWhereValidComputesNothing) {
  const auto in = random_image<Rgba8>(40, 12, 5);
  Sobel::Params params;
  params.size = 5;
  params.output = Result::angle;
  params.border = Border::valid;
  for (const Backend backend : host_backends) {
    const auto out = run_on<Sobel>(backend, params, in, 2);
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 40; ++x) {
        const Rgba32f pixel = out.image<Rgba32f>()(x, y);
        ASSERT_EQ(pixel.a, static_cast<float>(in.image<Rgba8>()(x, y).a) / 255.0f);
        if (x < 2 || y < 2 || x >= 38 || y >= 10) {
          ASSERT_EQ(pixel.r + pixel.g + pixel.b, 0.0f);
        }
      }
  }
}

TEST(SobelSizes, PrewittAndScharrHaveAngles) {
  // A ramp of slope (3, 4): every mask of differences finds its direction, and the borders are left out.
  std::vector<int> ramp;
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 20; ++x)
      ramp.push_back(3 * x + 4 * y);
  const auto in = grey_image(20, 12, ramp);
  gradient::Params params;
  params.output = Result::angle;
  for (const Backend backend : host_backends)
    for (const HostArray& out : {run_on<Prewitt>(backend, params, in), run_on<Scharr>(backend, params, in)})
      for (int y = 1; y < 11; ++y)
        for (int x = 1; x < 19; ++x)
          ASSERT_NEAR(out.image<float>()(x, y), std::atan2(4.0, 3.0) / (2.0 * std::numbers::pi), 1e-7);
}

TEST(SobelSizes, TurnedMasksNeedSizeThree) {
  Sobel::Params params;
  params.size = 5;
  EXPECT_EQ(params.problem(), "");
  params.directions = gradient::Directions::eight;
  EXPECT_NE(params.problem().find("size=3"), std::string::npos);
  params.directions = gradient::Directions::two;
  params.output = Result::direction;
  EXPECT_NE(params.problem().find("output=angle"), std::string::npos);
  params.size = 3;
  EXPECT_EQ(params.problem(), "");
}

}  // namespace
}  // namespace threadscape::testing
