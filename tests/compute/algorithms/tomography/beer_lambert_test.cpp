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

// ---- Spectra

/// The intensity of two energies whose attenuations are 1 and 2 is x / 2 + x^2 / 2 with x = exp(-p), which has the
/// solution x = 4 m / (sqrt(1 + 8 m) + 1).
TEST(Spectrum, TwoEnergiesAreAQuadraticEquation) {
  BeerLambert::Params params{.output = Output::intensity, .initial = 1.0f, .attenuation = 0.25f, .spectrum = "1:3 2:3"};
  std::vector<float> integrals;
  for (int i = -8; i < 200; ++i)
    integrals.push_back(static_cast<float>(i) * 0.5f);
  const std::vector<float> left = converted(params, integrals);
  for (std::size_t i = 0; i < integrals.size(); ++i) {
    const double x = std::exp(-0.25 * static_cast<double>(integrals[i]));
    EXPECT_NEAR(left[i] / (0.5 * x + 0.5 * x * x), 1.0, 1.3e-7) << integrals[i];
  }
  params.output = Output::integral;
  const std::vector<float> again = converted(params, left);
  for (std::size_t i = 0; i < integrals.size(); ++i) {
    const double m = static_cast<double>(left[i]), x = 4 * m / (std::sqrt(1 + 8 * m) + 1);
    EXPECT_NEAR(again[i], -std::log(x) / 0.25, 1e-6 + 1.2e-7 * std::abs(static_cast<double>(integrals[i]))) << i;
  }
}

TEST(Spectrum, OneEnergyIsTheLawItself) {
  const std::vector<float> integrals{-3.0f, 0.0f, 0.7f, 900.0f, 12000.0f};
  const BeerLambert::Params plain{.output = Output::intensity, .initial = 7.0f, .attenuation = 0.003f};
  BeerLambert::Params one = plain;
  one.spectrum = "1:5";
  EXPECT_EQ(converted(plain, integrals), converted(one, integrals));
}

TEST(Spectrum, TheWayBackHoldsForAllIntensities) {
  BeerLambert::Params params{
      .output = Output::integral, .initial = 1.0f, .attenuation = 1.0f, .spectrum = "0.001:1,1:4,30:2,1000:1"};
  for (const float intensity : {1e-30f, 1e-6f, 0.3f, 1.0f, 1.5f, 1e10f, 1e38f}) {
    params.output = Output::integral;
    const std::vector<float> integral = converted(params, {intensity});
    ASSERT_TRUE(std::isfinite(integral[0])) << intensity;
    params.output = Output::intensity;
    // The intensity changes by up to 1000 times as much as the float of the integral is rounded.
    EXPECT_NEAR(std::log(static_cast<double>(converted(params, integral)[0])), std::log(static_cast<double>(intensity)),
                1000 * 6e-8 * std::max(1.0, std::abs(static_cast<double>(integral[0]))))
        << intensity;
  }
}

/// A homogeneous disc: taken for photons of one energy, its middle attenuates less than its rim does (cupping). The
/// way back with the spectrum leaves the disc as it is.
TEST(Spectrum, HardensTheBeam) {
  RunRequest scan{.algorithm = &find_algorithm("projection"), .params = {}, .backend = Backend::openmp, .threads = 2};
  RunRequest back{
      .algorithm = &find_algorithm("reconstruction"), .params = {}, .backend = Backend::openmp, .threads = 2};
  for (RunRequest* request : {&scan, &back}) {
    request->params = request->algorithm->defaults();
    for (const auto& [name, value] : {std::pair{"phantom", "file"},
                                      {"geometry", "parallel"},
                                      {"voxels", "64"},
                                      {"voxels_z", "1"},
                                      {"detector_pixels", "96"},
                                      {"detector_rows", "1"},
                                      {"pixel_size", "1"},
                                      {"arc", "179"},
                                      {"step", "1"}})
      request->params.assign(name, value);
  }
  HostArray disc(Shape{Kind::volume, Element::f32, 1, 64, 1, 64});
  auto* voxels = reinterpret_cast<float*>(disc.data());
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      voxels[y * 64 + x] = std::hypot(x - 31.5, y - 31.5) < 28 ? 1.0f : 0.0f;
  Runner runner;
  const HostArray views = runner.run(scan, disc.view()).output;
  const auto* integrals = reinterpret_cast<const float*>(views.data());
  const std::vector<float> measured(integrals, integrals + views.shape().items());
  BeerLambert::Params params{
      .output = Output::intensity, .initial = 1.0f, .attenuation = 0.04f, .spectrum = "0.5:1,2:1"};
  const std::vector<float> intensities = converted(params, measured);
  params.output = Output::integral;
  const auto middle_and_rim = [&](const std::vector<float>& values) {
    HostArray taken(views.shape());
    std::ranges::copy(values, reinterpret_cast<float*>(taken.data()));
    const HostArray found = runner.run(back, taken.view()).output;
    const auto* at = reinterpret_cast<const float*>(found.data());
    double middle = 0, rim = 0;
    for (int i = 0; i < 8; ++i) {
      middle += static_cast<double>(at[32 * 64 + 28 + i]) / 8;
      rim += static_cast<double>(at[32 * 64 + 6 + i % 4]) / 8;
    }
    return std::pair{middle, rim};
  };
  const auto [middle, rim] = middle_and_rim(converted(params, intensities));
  EXPECT_NEAR(middle / rim, 1.0, 0.02);
  params.spectrum.clear();
  const auto [hollow, edge] = middle_and_rim(converted(params, intensities));
  EXPECT_LT(hollow / edge, 0.85);
}

TEST(Spectrum, RefusesWhatIsNone) {
  for (const char* text : {"1", "1:", ":1", "1:0", "1:-1", "0:1", "x:1", "1:1:1", ",", "1:1,1e9:1"})
    EXPECT_NE((BeerLambert::Params{.spectrum = text}.problem()), "") << text;
  std::string many;
  for (int i = 0; i < 17; ++i)
    many += "1:1 ";
  EXPECT_NE((BeerLambert::Params{.spectrum = many}.problem()), "");
  EXPECT_EQ((BeerLambert::Params{.spectrum = many.substr(4)}.problem()), "");
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

TEST(Photons, OfASpectrumHaveTheMeanOfItsEnergies) {
  const std::vector<float> measured = converted(
      {.output = Output::intensity, .initial = 1.0f, .attenuation = 0.5f, .photons = 1000, .spectrum = "0.5:1,2:3"},
      std::vector<float>(20000, 2.0f));
  double sum = 0.0;
  for (const float value : measured)
    sum += static_cast<double>(value) * 1000;
  const double mean = 1000 * (0.25 * std::exp(-0.5) + 0.75 * std::exp(-2.0));
  EXPECT_NEAR(sum / 20000, mean, 5 * std::sqrt(mean / 20000));
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
