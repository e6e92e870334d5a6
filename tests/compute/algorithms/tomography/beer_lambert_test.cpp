// The law of Lambert and Beer: half-value layers, the way back, and the limits.

#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape {
namespace {

using beer_lambert::Output;

std::vector<float> converted(const BeerLambert::Params& params, const std::vector<float>& values) {
  HostArray input(Shape{Kind::volume, Element::f32, 1, static_cast<std::int64_t>(values.size()), 1, 1});
  std::copy(values.begin(), values.end(), reinterpret_cast<float*>(input.data()));
  Runner runner;
  const HostArray output =
      runner.run({.algorithm = &find_algorithm("beer_lambert"), .params = ParamBox::of(params)}, input.view()).output;
  const auto* first = reinterpret_cast<const float*>(output.data());
  return {first, first + values.size()};
}

// Of 150 keV photons in water (0.1505 per cm, NIST XCOM), half are left behind ln 2 / 0.1505 = 4.606 cm, and behind n
// such layers 2^-n.
TEST(BeerLambert, EveryHalfValueLayerHalvesTheIntensity) {
  constexpr float attenuation = 0.1505f, initial = 80000.0f;
  const auto layer = static_cast<float>(std::log(2.0) / static_cast<double>(attenuation));
  const std::vector<float> left =
      converted({.output = Output::intensity, .initial = initial, .attenuation = attenuation},
                {0.0f, layer, 2 * layer, 10 * layer});
  EXPECT_EQ(left[0], initial);
  // The rounding of the layer to a float is a relative error of 6e-8, which the exponent multiplies by up to 7.
  EXPECT_NEAR(left[1], initial / 2, 2e-7f * initial);
  EXPECT_NEAR(left[2], initial / 4, 2e-7f * initial);
  EXPECT_NEAR(left[3], initial / 1024, 1e-6f * initial / 1024);
}

TEST(BeerLambert, TheLogarithmLeadsBackToTheLineIntegrals) {
  std::vector<float> integrals;
  for (int i = 0; i < 200; ++i)
    integrals.push_back(static_cast<float>(i) * 42.5f);
  const BeerLambert::Params there{.output = Output::intensity, .initial = 1000.0f, .attenuation = 0.002f};
  BeerLambert::Params back = there;
  back.output = Output::integral;
  const std::vector<float> again = converted(back, converted(there, integrals));
  // An intensity has a relative error of 2^-24, which is an absolute error of 2^-24 / 0.002 = 3e-5 of the integral; the
  // integral itself is rounded as well.
  for (std::size_t i = 0; i < integrals.size(); ++i)
    EXPECT_NEAR(again[i], integrals[i], 3.1e-5f + integrals[i] * 1.2e-7f) << i;
}

TEST(BeerLambert, ResultsAreFinite) {
  const std::vector<float> intensities =
      converted({.output = Output::intensity, .initial = 1.0f, .attenuation = 1.0f}, {-1e6f, 1e6f});
  EXPECT_EQ(intensities[0], std::numeric_limits<float>::max());
  EXPECT_EQ(intensities[1], 0.0f);
  // Intensities of zero and below count as the smallest normal float, 2^-126.
  const std::vector<float> integrals =
      converted({.output = Output::integral, .initial = 1.0f, .attenuation = 1.0f}, {0.0f, -3.0f, 1.0f});
  EXPECT_NEAR(integrals[0], 126 * std::log(2.0), 1e-5);
  EXPECT_EQ(integrals[0], integrals[1]);
  EXPECT_EQ(integrals[2], 0.0f);
}

TEST(BeerLambert, OwnInputIsAScanInEitherForm) {
  const BeerLambert::Params there, back{.output = Output::integral};
  EXPECT_FALSE(BeerLambert::same_input(there, back));
  const HostArray integrals = BeerLambert::make_input(there, 0), intensities = BeerLambert::make_input(back, 0);
  EXPECT_EQ(integrals.shape(), BeerLambert::input_shape(there));
  const auto* p = reinterpret_cast<const float*>(integrals.data());
  const auto* m = reinterpret_cast<const float*>(intensities.data());
  for (std::int64_t i = 0; i < integrals.shape().items(); i += 997)
    EXPECT_NEAR(m[i], std::exp(-0.001 * static_cast<double>(p[i])), 1e-7) << i;
}

}  // namespace
}  // namespace threadscape
