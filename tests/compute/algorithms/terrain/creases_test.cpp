// The creases of terrains: bends of a known size, and what the rule of three neighbours does to the rim.

#include "compute/algorithms/terrain/creases.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape::terrain {
namespace {

HostArray heights_of(int side, double (*height)(int x, int y)) {
  HostArray heights(Shape{Kind::heightfield, Element::f32, 1, side, side, 1});
  const auto view = heights.image<float>();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      view(x, y) = static_cast<float>(height(x, y));
  return heights;
}

/// A paraboloid is bent alike everywhere.
TEST(Creases, AParaboloidHasNone) {
  const HostArray heights = heights_of(65, [](int x, int y) { return 0.5 * x * x + 0.5 * y * y; });
  const auto creases = creases_of(heights.view());
  ASSERT_TRUE(creases);
  EXPECT_EQ(creases->lines, 1.0);
  EXPECT_EQ(creases->rim, 1.0);
}

/// A fold by 2 on top of a bend by 1 is one by 3.
TEST(Creases, AFoldIsAsLargeAsItIs) {
  const HostArray folded = heights_of(65, [](int x, int y) {
    double height = 0.5 * x * x + 0.5 * y * y;
    for (int line = 8; line < 64; line += 8)
      height += std::abs(x - line) + std::abs(y - line);
    return height;
  });
  ASSERT_TRUE(creases_of(folded.view()));
  EXPECT_DOUBLE_EQ(creases_of(folded.view())->lines, 3.0);
  EXPECT_DOUBLE_EQ(creases_of(folded.view())->rim, 1.0);
  const HostArray rim = heights_of(65, [](int x, int y) {
    const bool outer_row = y == 0 || y == 64, outer_column = x == 0 || x == 64;
    return 0.5 * x * x + 0.5 * y * y + (outer_row ? 0.5 * x * x : 0) + (outer_column ? 0.5 * y * y : 0);
  });
  EXPECT_DOUBLE_EQ(creases_of(rim.view())->rim, 2.0);
}

TEST(Creases, AreOfSquaresOfAPowerOfTwo) {
  const auto plane = [](int x, int y) { return 1.0 * x + y; };
  EXPECT_FALSE(creases_of(heights_of(65, plane).view())) << "a plane is not bent";
  const auto bowl = [](int x, int y) { return 1.0 * x * x + y * y; };
  EXPECT_FALSE(creases_of(heights_of(66, bowl).view()));
  EXPECT_FALSE(creases_of(heights_of(17, bowl).view()));
  EXPECT_TRUE(creases_of(heights_of(33, bowl).view()));
}

Creases mean_of(const char* edges) {
  const AlgorithmInfo& algorithm = find_algorithm("diamond_square");
  Creases mean{0.0, 0.0};
  constexpr int seeds = 16;
  Runner runner;
  for (int seed = 0; seed < seeds; ++seed) {
    RunRequest request{.algorithm = &algorithm,
                       .params = algorithm.defaults(),
                       .backend = Backend::openmp,
                       .threads = 2,
                       .seed = static_cast<std::uint64_t>(seed)};
    for (const auto& [name, value] : {std::pair{"n", "9"}, {"mode", "fractal"}, {"edges", edges}})
      request.params.assign(name, value);
    const auto creases = creases_of(runner.run(request, {}).output.view());
    if (!creases) return {};
    mean.lines += creases->lines / seeds;
    mean.rim += creases->rim / seeds;
  }
  return mean;
}

/// The lines between large squares are creases with both rules. Three neighbours make the rim smoother along itself
/// than the lines inside are, with as many neighbours it is as rough.
TEST(Creases, ThreeNeighboursChangeTheRimAlone) {
  const Creases three = mean_of("three"), wrap = mean_of("wrap");
  EXPECT_NEAR(wrap.rim, 1.0, 0.03);
  EXPECT_NEAR(three.rim, 0.93, 0.03);
  EXPECT_NEAR(wrap.lines, 1.15, 0.02);
  EXPECT_NEAR(three.lines, wrap.lines, 0.02);
}

}  // namespace
}  // namespace threadscape::terrain
