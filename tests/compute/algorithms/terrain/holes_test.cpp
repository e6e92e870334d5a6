// Tests that holes in heights, which are NaN, stay holes, count in no range, and change nothing beside them.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/algorithms/terrain/terrace/terrace.h"
#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion.h"
#include "compute/core/height_range.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/terrain_testing.h"

namespace threadscape::testing {
namespace {

constexpr int width = 67, height = 9;  // Vectors and a rest.

/// Hills with holes at the beginning of a row, alone, and in a block.
HostArray with_holes() {
  return heightfield<float>(width, height, [](int x, int y) -> double {
    const bool hole = (x == 0 && y == 2) || (x == 30 && y == 4) || (x > 40 && x < 44 && y > 3 && y < 7);
    return hole ? std::numeric_limits<double>::quiet_NaN() : 10 + 3 * std::sin(0.3 * x) + y;
  });
}

HostArray result(const char* name, const ParamBox& params, const HostArray& input, Backend backend) {
  Runner runner;
  return runner.run({.algorithm = &find_algorithm(name), .params = params, .backend = backend}, input.view()).output;
}

TEST(Holes, StayWhereTheyAre) {
  const HostArray input = with_holes();
  Normalise::Params stretch;
  stretch.low = 0;
  stretch.high = 100;
  for (const auto& [name, params] : {std::pair("normalise", ParamBox::of(stretch)),
                                     {"terrace", ParamBox::of(Terrace::Params{})},
                                     {"thermal_erosion", ParamBox::of(ThermalErosion::Params{})}}) {
    const HostArray serial = result(name, params, input, Backend::serial);
    const HostArray openmp = result(name, params, input, Backend::openmp);
    EXPECT_EQ(difference(serial, openmp), "") << name;
    const auto from = input.image<float>(), to = serial.image<float>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        EXPECT_EQ(std::isnan(from(x, y)), std::isnan(to(x, y))) << name << " at " << x << ", " << y;
    if (std::string(name) == "normalise") {
      EXPECT_EQ(height_range(serial.view()).low, 0.0f);
      EXPECT_NEAR(height_range(serial.view()).high, 100.0f, 1e-4);
    }
  }
}

TEST(Holes, HaveNoSlope) {
  for (const slope::Map map : {slope::Map::slope, slope::Map::normal}) {
    Slope::Params params;
    params.map = map;
    const HostArray input = with_holes();
    const HostArray serial = result("slope", ParamBox::of(params), input, Backend::serial);
    EXPECT_EQ(difference(serial, result("slope", ParamBox::of(params), input, Backend::openmp)), "");
    // In the middle of the block all neighbours are holes.
    if (map == slope::Map::slope) {
      EXPECT_EQ(serial.image<std::uint8_t>()(42, 5), 0);
    }
  }
}

}  // namespace
}  // namespace threadscape::testing
