// Tests of the algorithms on heightfields: thermal erosion, normalise, terraces, slope and normals.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/algorithms/terrain/terrace/terrace.h"
#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion.h"
#include "compute/io/pictures/heightfield_file.h"
#include "tests/support/compute/terrain_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

template <class A>
HostArray run_on(std::string_view name, const typename A::Params& params, const HostArray& in,
                 Backend backend = Backend::serial, int variant = 0, int threads = 1) {
  return run_terrain(name, ParamBox::of(params), in, 0, backend, variant, threads);
}

HostArray terrain_of(std::uint64_t seed) {
  return terrain::default_terrain(seed);
}

double sum_of(const HostArray& heights) {
  double sum = 0;
  const auto h = heights.image<float>();
  for (int y = 0; y < h.height; ++y)
    for (int x = 0; x < h.width; ++x)
      sum += double{h(x, y)};
  return sum;
}

/// The maximum difference between neighbours in a row or column.
float steepest(const HostArray& heights) {
  float max_difference = 0;
  const auto h = heights.image<float>();
  for (int y = 0; y < h.height; ++y)
    for (int x = 0; x < h.width; ++x) {
      if (x > 0) max_difference = std::max(max_difference, std::fabs(h(x, y) - h(x - 1, y)));
      if (y > 0) max_difference = std::max(max_difference, std::fabs(h(x, y) - h(x, y - 1)));
    }
  return max_difference;
}

// ---- thermal erosion

TEST(ThermalErosion, OneIterationByHand) {
  // The terrain is a peak of 16 on a plain, and the talus is 0: an eighth of the peak moves to each straight neighbour,
  // a sixteenth to each diagonal one.
  const HostArray peak = heightfield<float>(5, 5, [](int x, int y) { return x == 2 && y == 2 ? 16 : 0; });
  const float expected[5][5]{{0, 0, 0, 0, 0}, {0, 1, 2, 1, 0}, {0, 2, 4, 2, 0}, {0, 1, 2, 1, 0}, {0, 0, 0, 0, 0}};
  for_all_backends("thermal_erosion", [&](Backend backend, int variant, int threads) {
    const auto out =
        run_on<ThermalErosion>("thermal_erosion", {.iterations = 1, .talus = 0.0f}, peak, backend, variant, threads);
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 5; ++x)
        EXPECT_EQ(out.image<float>()(x, y), expected[y][x]) << x << " " << y;
  });
}

TEST(ThermalErosion, KeepsMassAndBounds) {
  const HostArray before = terrain_of(1);
  const auto low_high = height_range(before.view());
  const HostArray after =
      run_on<ThermalErosion>("thermal_erosion", {.iterations = 100, .talus = 0.002f}, before, Backend::openmp, 0, 2);
  // Each of 100 iterations rounds 263169 heights below 1 to 2^-25, and the errors add up as in a random walk.
  EXPECT_NEAR(sum_of(after), sum_of(before), 5 * 0x1p-25 * std::sqrt(100.0 * 263169));
  const auto range = height_range(after.view());
  EXPECT_GE(range.low, low_high.low);
  EXPECT_LE(range.high, low_high.high);
  EXPECT_LT(steepest(after), steepest(before));
}

TEST(ThermalErosion, GentleSlopesStay) {
  const HostArray slope = heightfield<float>(40, 30, [](int x, int y) { return x * 0.5 - y * 0.25; });
  EXPECT_EQ(difference(run_on<ThermalErosion>("thermal_erosion", {.iterations = 9, .talus = 0.75f}, slope), slope), "");
}

TEST(ThermalErosion, SteepSlopesComeToRestAtTheTalus) {
  const HostArray cliff = heightfield<float>(21, 3, [](int x, int) { return x < 10 ? 0 : 5; });
  const auto out = run_on<ThermalErosion>("thermal_erosion", {.iterations = 1000, .talus = 1.0f}, cliff);
  EXPECT_LE(steepest(out), 1.001f);
}

TEST(ThermalErosion, TurnsWithTheTerrain) {
  const HostArray in = terrain_of(2);
  const auto mirrored = heightfield<float>(513, 513, [&](int x, int y) { return in.image<float>()(512 - x, y); });
  const auto a = run_on<ThermalErosion>("thermal_erosion", {.iterations = 8}, in);
  const auto b = run_on<ThermalErosion>("thermal_erosion", {.iterations = 8}, mirrored);
  EXPECT_EQ(difference(heightfield<float>(513, 513, [&](int x, int y) { return b.image<float>()(512 - x, y); }), a),
            "");
}

// ---- normalise

TEST(Normalise, ReachesBothEnds) {
  for_all_backends("normalise", [](Backend backend, int variant, int threads) {
    const auto out =
        run_on<Normalise>("normalise", {.low = -1.0f, .high = 3.0f}, terrain_of(3), backend, variant, threads);
    const auto range = height_range(out.view());
    EXPECT_EQ(range.low, -1.0f);
    EXPECT_NEAR(range.high, 3.0f, 1e-6f);
  });
}

TEST(Normalise, FlatBecomesLow) {
  const HostArray flat = heightfield<std::uint8_t>(9, 4, [](int, int) { return 77; });
  const HostArray low = heightfield<float>(9, 4, [](int, int) { return 0.25; });
  for_all_backends("normalise", [&](Backend backend, int variant, int threads) {
    EXPECT_EQ(difference(run_on<Normalise>("normalise", {.low = 0.25f}, flat, backend, variant, threads), low), "");
  });
}

TEST(Normalise, TurnsRoundWhenLowIsAboveHigh) {
  const HostArray in = heightfield<std::uint16_t>(3, 1, [](int x, int) { return 100 * x; });
  const auto out = run_on<Normalise>("normalise", {.low = 10.0f, .high = 0.0f}, in);
  EXPECT_EQ(out.image<float>()(0, 0), 10.0f);
  EXPECT_EQ(out.image<float>()(1, 0), 5.0f);
  EXPECT_EQ(out.image<float>()(2, 0), 0.0f);
}

// ---- terraces

TEST(Terrace, StepsAndRamps) {
  const terrace::Plan half(2.0f, 0.5f);
  EXPECT_EQ(half(0.0f), 0.0f);
  EXPECT_EQ(half(0.9f), 0.0f);
  EXPECT_EQ(half(1.5f), 1.0f);  // the middle of the ramp
  EXPECT_EQ(half(2.0f), 2.0f);
  EXPECT_EQ(half(-0.5f), -1.0f);
  EXPECT_EQ(half(-2.0f), -2.0f);
  EXPECT_EQ(terrace::Plan(2.0f, 1.0f)(1.99f), 0.0f);
  EXPECT_EQ(terrace::Plan(2.0f, 0.0f)(1.25f), 1.25f);
  EXPECT_EQ(terrace::Plan(0.001f, 0.5f)(3e30f), 3e30f);
}

TEST(Terrace, NeverTurnsASlopeRound) {
  const terrace::Plan plan(0.1f, 0.7f);
  float before = plan(-2.0f);
  for (int i = 0; i < 10810; ++i) {
    const float h = -2.0f + 0.00037f * static_cast<float>(i);  // up to 1.9993
    const float now = plan(h);
    ASSERT_GE(now, before);
    ASSERT_LE(now, h + 1e-6f);
    ASSERT_GT(now, h - 0.1f);
    before = now;
  }
}

// ---- slope

TEST(Slope, PlanesHaveTheirAngle) {
  // The terrain rises by 3 and 4 cells in 12, which is a slope of 5/12, whose sine is 5/13.
  const HostArray plane = heightfield<float>(30, 20, [](int x, int y) { return x * 3.0 + y * 4.0; });
  for_all_backends("slope", [&](Backend backend, int variant, int threads) {
    const auto slope =
        run_on<Slope>("slope", {.map = slope::Map::slope, .scale = 1.0f / 12}, plane, backend, variant, threads);
    const auto normal =
        run_on<Slope>("slope", {.map = slope::Map::normal, .scale = 1.0f / 12}, plane, backend, variant, threads);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 30; ++x) {
        ASSERT_EQ(slope.image<std::uint8_t>()(x, y), std::lround(255 * 5 / 13.0));
        const Rgba8 expected{static_cast<std::uint8_t>(std::lround(128 - 127 * 3 / 13.0)),
                             static_cast<std::uint8_t>(std::lround(128 + 127 * 4 / 13.0)),
                             static_cast<std::uint8_t>(std::lround(128 + 127 * 12 / 13.0)), 255};
        ASSERT_EQ(normal.image<Rgba8>()(x, y), expected);
      }
  });
}

TEST(Slope, FlatAndSinglePointsPointUpwards) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 5}, {6, 1}, {5, 5}}) {
    const HostArray flat = heightfield<std::uint8_t>(width, height, [](int, int) { return 9; });
    const auto normal = run_on<Slope>("slope", {.map = slope::Map::normal}, flat);
    EXPECT_EQ(normal.image<Rgba8>()(width - 1, height - 1), (Rgba8{128, 128, 255, 255}));
  }
}

TEST(Slope, CliffsStayFinite) {
  const HostArray cliff = heightfield<float>(4, 1, [](int x, int) { return x < 2 ? -3e38 : 3e38; });
  const auto slope = run_on<Slope>("slope", {.scale = 10000.0f}, cliff);
  EXPECT_EQ(slope.image<std::uint8_t>()(1, 0), 255);
}

// ---- all algorithms

TEST(TerrainFilters, TakeHeightsOnlyAndMakeTheirOwn) {
  const Shape picture = Shape::image(Element::u8, 1, 4, 4);
  const Shape doubles{Kind::heightfield, Element::f64, 1, 4, 4, 1};
  for (const char* name : {"thermal_erosion", "normalise", "terrace", "slope"}) {
    const AlgorithmInfo& info = find_algorithm(name);
    EXPECT_THROW((void)info.output_shape(info.defaults(), picture), UsageError);
    EXPECT_THROW((void)info.output_shape(info.defaults(), doubles), UsageError);
    EXPECT_EQ(info.own_input->shape(info.defaults()), info.own_input->make(info.defaults(), 1).shape());
    EXPECT_EQ(info.group, "Terrain");
  }
}

// The expected results were computed with NumPy and SciPy by scripts/reference/terrain.py.
TEST(TerrainFilters, EqualTheStoredReference) {
  std::ifstream file(test_dir() + "/data/terrain.json");
  const auto json = nlohmann::json::parse(file);
  const int width = json["width"], height = json["height"];
  const auto array_of = [&](const char* name) {
    return heightfield<float>(width, height, [&](int x, int y) {
      return json[name][static_cast<std::size_t>(y)][static_cast<std::size_t>(x)].get<float>();
    });
  };
  const HostArray in = array_of("input");
  const auto expect_near = [&](const char* name, const HostArray& actual, double tolerance) {
    EXPECT_FALSE(compare(array_of(name).view(), actual.view(), {.abs = tolerance})) << name;
  };
  expect_near("eroded", run_on<ThermalErosion>("thermal_erosion", {.iterations = 6, .talus = 0.125f}, in), 1e-5);
  expect_near("normalised", run_on<Normalise>("normalise", {.low = -2.0f, .high = 5.0f}, in), 1e-5);
  const auto slopes = run_on<Slope>("slope", {.scale = 0.5f}, in);
  const auto levels = array_of("slope");
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT_NEAR(slopes.image<std::uint8_t>()(x, y), levels.image<float>()(x, y), 0.5001) << x << " " << y;
}

}  // namespace
}  // namespace threadscape::testing
