// Tests of the random numbers of diamond-square: XORWOW against cuRAND, the place of each cell in the table, and
// terrains that take their numbers from it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_xorwow.h"
#include "tests/support/compute/terrain_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

using DiamondSquareParams = DiamondSquare::Params;
using Random = DiamondSquare::Random;

std::vector<std::uint16_t> table(Random random, std::uint64_t seed, std::size_t count, int threads = 1) {
  std::vector<std::uint16_t> numbers(count);
  const auto states = std::make_unique<diamond_square::XorwowStates>();
  diamond_square::fill_numbers(random, seed, numbers, *states, threads);
  return numbers;
}

HostArray grown_from(const DiamondSquareParams& params, std::uint64_t seed, Backend backend = Backend::serial,
                     int variant = 0, int threads = 1) {
  return run_terrain("diamond_square", ParamBox::of(params), HostArray(), seed, backend, variant, threads);
}

// The expected numbers were computed with the functions of cuRAND by scripts/reference/xorwow.cpp.
TEST(DiamondSquareRandom, NumbersAreThoseOfCurand) {
  std::ifstream file(test_dir() + "/data/xorwow.json");
  const auto json = nlohmann::json::parse(file);
  ASSERT_GT(json["rows"].size(), 30u);
  for (const auto& row : json["rows"]) {
    const std::uint64_t seed = row["seed"];
    const std::size_t i = row["i"];
    EXPECT_EQ(table(Random::xorwow, seed, i + 1, 2)[i], row["default"].get<std::uint32_t>() >> 16) << row;
    EXPECT_EQ(table(Random::xorwow_seeded, seed, i + 1)[i], row["seeded"].get<std::uint32_t>() >> 16) << row;
    if (i >= diamond_square::xorwow_streams) continue;
    const auto place = static_cast<int>(i);
    EXPECT_EQ(diamond_square::first_number(Random::xorwow, seed, place), row["default"].get<std::uint32_t>() >> 16);
    EXPECT_EQ(diamond_square::first_number(Random::xorwow_seeded, seed, place),
              row["seeded"].get<std::uint32_t>() >> 16);
  }
}

TEST(DiamondSquareRandom, EveryCellHasItsOwnNumberInTheOrderOfTheSteps) {
  std::set<std::uint32_t> numbers{0, 1, 2, 3};  // those of the corners
  for (int level = 1; level <= 6; ++level) {
    const int cells = diamond_square::cells_of(level);
    std::uint32_t diamonds_end = 0, squares_begin = ~0u;
    for (int y = 0; y <= cells; ++y)
      for (int x = 0; x <= cells; ++x) {
        if (x % 2 == 0 && y % 2 == 0) continue;
        const std::uint32_t number = diamond_square::number_of(level, x, y);
        EXPECT_TRUE(numbers.insert(number).second) << x << ", " << y << " of level " << level;
        if (x % 2 == 1 && y % 2 == 1)
          diamonds_end = std::max(diamonds_end, number + 1);
        else
          squares_begin = std::min(squares_begin, number);
      }
    EXPECT_EQ(diamonds_end, squares_begin);
    EXPECT_EQ(squares_begin, diamond_square::number_of(level, 1, 0));
    EXPECT_EQ(numbers.size(), diamond_square::points_of(level));
    EXPECT_EQ(*numbers.rbegin() + 1, diamond_square::points_of(level));
  }
}

// On 3 x 3 points everything can be computed by hand from the first nine numbers of the table.
TEST(DiamondSquareRandom, TheFirstLevelTakesTheFirstNumbers) {
  for (const Random random : {Random::xorwow, Random::xorwow_seeded}) {
    const std::vector<std::uint16_t> numbers = table(random, 77, 9);
    const HostArray out = grown_from({.n = 1, .mode = DiamondSquare::Mode::classic, .random = random}, 77);
    const auto h = out.image<std::uint8_t>();
    const auto expected = [](double sum, int count, std::uint32_t number) {
      const int r = static_cast<int>(number * 257u / 65536u) - 128;
      return static_cast<int>(std::clamp(std::floor((sum + r) / count + 0.5), 0.0, 255.0));
    };
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(h(2 * (i % 2), 2 * (i / 2)), numbers[static_cast<std::size_t>(i)] >> 8);
    const int a = h(0, 0), b = h(2, 0), c = h(0, 2), d = h(2, 2), middle = h(1, 1);
    EXPECT_EQ(middle, expected(a + b + c + d, 4, numbers[4]));
    EXPECT_EQ(h(1, 0), expected(a + b + middle, 3, numbers[5]));
    EXPECT_EQ(h(0, 1), expected(a + c + middle, 3, numbers[6]));
    EXPECT_EQ(h(2, 1), expected(b + d + middle, 3, numbers[7]));
    EXPECT_EQ(h(1, 2), expected(c + d + middle, 3, numbers[8]));
  }
}

TEST(DiamondSquareRandom, EveryBackendTakesTheSameNumbers) {
  for (const Random random : {Random::xorwow, Random::xorwow_seeded})
    for (const auto edges : {DiamondSquare::Edges::three, DiamondSquare::Edges::wrap})
      for (const auto mode : {DiamondSquare::Mode::classic, DiamondSquare::Mode::fractal})
        for (const auto last_step : {DiamondSquare::LastStep::square, DiamondSquare::LastStep::diamond})
          for (const int n : {1, 4, 8, 9}) {
            const DiamondSquareParams params{
                .n = n, .mode = mode, .edges = edges, .last_step = last_step, .random = random};
            const HostArray serial = grown_from(params, 5);
            for_all_backends("diamond_square", [&](Backend backend, int variant, int threads) {
              ASSERT_EQ(difference(grown_from(params, 5, backend, variant, threads), serial), "") << n;
            });
          }
}

TEST(DiamondSquareRandom, LevelsOfALargeTerrainAreSmallerTerrains) {
  const HostArray whole = grown_from({.n = 8, .random = Random::xorwow}, 7);
  for (int level = 1; level < 8; ++level)
    EXPECT_EQ(difference(every(whole, 1 << (8 - level)), grown_from({.n = level, .random = Random::xorwow}, 7)), "");
  EXPECT_NE(checksum(whole), checksum(grown_from({.n = 8}, 7)));
  EXPECT_NE(checksum(whole), checksum(grown_from({.n = 8, .random = Random::xorwow_seeded}, 7)));
}

}  // namespace
}  // namespace threadscape::testing
