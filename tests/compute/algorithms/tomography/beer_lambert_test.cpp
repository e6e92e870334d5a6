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

// ---- Photons

TEST(Photons, ExponentialsAndLogarithmsAreThoseOfTheLibrary) {
  for (double x = 0.0; x > -650.0; x -= 0.371)
    EXPECT_NEAR(beer_lambert::exponential(x) / std::exp(x), 1.0, 1e-15) << x;
  EXPECT_EQ(beer_lambert::exponential(-1000.0), 0.0);
  for (double x = 1e-7; x < 1e7; x *= 1.137)
    EXPECT_NEAR(beer_lambert::logarithm(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
}

TEST(Photons, ProbabilitiesAreThoseOfPoisson) {
  for (const double mean : {0.01, 0.7, 3.0, 15.9, 16.0, 40.0, 1000.0, 250000.5})
    for (const double sigmas : {-2.0, -0.5, 0.0, 1.0, 3.0}) {
      const int count = static_cast<int>(std::max(0.0, mean + sigmas * std::sqrt(mean)));
      const double expected = std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0));
      EXPECT_NEAR(beer_lambert::poisson_probability(mean, count) / expected, 1.0, 1e-8) << mean << " " << count;
    }
}

TEST(Photons, ANumberIsThereForEveryShareOfTheDistribution) {
  for (const double mean : {0.3, 2.0, 7.5, 30.0}) {
    std::vector<int> times(200, 0);
    constexpr int steps = 100000;
    for (int i = 0; i < steps; ++i)
      ++times[static_cast<std::size_t>(beer_lambert::photons_of(mean, (i + 0.5) / steps))];
    for (int count = 0; count < 200; ++count)  // Every number takes an interval as long as its probability.
      EXPECT_NEAR(times[static_cast<std::size_t>(count)],
                  steps * std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0)), 1.01)
          << mean << " " << count;
  }
}

TEST(Photons, HaveTheMeanAndTheVarianceOfPoisson) {
  constexpr std::size_t count = 20000;
  constexpr float attenuation = 0.5f, length = 3.0f;
  for (const int photons : {1, 30, 1000, 100000}) {
    const std::vector<float> measured =
        converted({.output = Output::intensity, .initial = 1.0f, .attenuation = attenuation, .photons = photons},
                  std::vector<float>(count, length));
    const double mean = photons * std::exp(-1.5);
    double sum = 0.0, squares = 0.0;
    for (const float value : measured) {
      const double counted = static_cast<double>(value) * photons;
      EXPECT_NEAR(counted, std::round(counted), 1e-2);
      sum += counted - mean;
      squares += (counted - mean) * (counted - mean);
    }
    // Five standard deviations of both; the fourth moment of Poisson is mean + 3 mean^2.
    EXPECT_NEAR(sum / count, 0.0, 5 * std::sqrt(mean / count)) << photons;
    EXPECT_NEAR(squares / count, mean, 5 * std::sqrt((mean + 2 * mean * mean) / count)) << photons;
  }
}

TEST(Photons, DependOnSeedAndPlaceAlone) {
  const AlgorithmInfo& algorithm = find_algorithm("beer_lambert");
  ParamBox params = algorithm.defaults();
  params.assign("photons", "500");
  const HostArray input = algorithm.own_input->make(params, 1);
  const auto run = [&](Backend backend, int variant, int threads, std::uint64_t seed) {
    HostArray output = Runner()
                           .run({.algorithm = &algorithm,
                                 .params = params,
                                 .backend = backend,
                                 .variant = variant,
                                 .threads = threads,
                                 .seed = seed},
                                input.view())
                           .output;
    const auto* first = reinterpret_cast<const float*>(output.data());
    return std::vector<float>(first, first + output.shape().items());
  };
  const std::vector<float> expected = run(Backend::serial, 0, 1, 5);
  EXPECT_EQ(run(Backend::openmp, 0, 3, 5), expected);
  EXPECT_EQ(run(Backend::openmp, 1, 2, 5), expected);
  EXPECT_NE(run(Backend::serial, 0, 1, 6), expected);
}

}  // namespace
}  // namespace threadscape
