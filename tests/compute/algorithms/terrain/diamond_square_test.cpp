// Tests of diamond-square: every backend and variant against an independent reference in this file, rounding, seed
// grids, and the levels of growth.

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"

#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "compute/gpu/device.h"
#include "compute/io/pictures/heightfield_file.h"
#include "compute/kernel/philox.h"
#include "tests/support/compute/terrain_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

using DiamondSquareParams = DiamondSquare::Params;
using Mode = DiamondSquare::Mode;
using Edges = DiamondSquare::Edges;
using LastStep = DiamondSquare::LastStep;

HostArray grown(const DiamondSquareParams& params, std::uint64_t seed, Backend backend = Backend::serial,
                int variant = 0, int threads = 1) {
  return run_terrain("diamond_square", ParamBox::of(params), HostArray(), seed, backend, variant, threads);
}

// ---- a reference that shares only Philox with the backends: in place, in double and with its own indices

std::uint32_t half(std::uint64_t seed, int level, int x, int y) {
  const std::uint32_t words[4]{static_cast<std::uint32_t>(x / 16), static_cast<std::uint32_t>(y),
                               static_cast<std::uint32_t>(level), static_cast<std::uint32_t>(x % 2)};
  const PhiloxBlock block = philox({{words[0], words[1], words[2], words[3]}}, seed);
  const int number = x % 16 / 2;
  return number % 2 ? block.word[number / 2] >> 16 : block.word[number / 2] & 65535;
}

struct Reference {
  DiamondSquareParams params;
  std::uint64_t seed;
  int cells = 1 << params.n;
  std::vector<float> heights = std::vector<float>(static_cast<std::size_t>(cells + 1) * (cells + 1));

  float& at(int x, int y) { return heights[static_cast<std::size_t>(y) * (cells + 1) + x]; }
  [[nodiscard]] bool wrap() const { return params.edges == Edges::wrap; }

  float new_height(int level, int x, int y, int step, float sum, int count) {
    int i = x / step, j = y / step;
    if (wrap()) {
      i %= cells / step;
      j %= cells / step;
    }
    const std::uint32_t k = half(seed, level, i, j);
    if (params.mode == Mode::fractal) {
      const auto amplitude = static_cast<float>(params.amplitude * std::pow(2.0, -double{params.roughness} * level));
      const int odd = (k & 0x8000 ? static_cast<int>(k) - 65536 : static_cast<int>(k)) | 1;
      return sum / static_cast<float>(count) + static_cast<float>(odd) / 32768.0f * amplitude;
    }
    int h = 128;
    for (int i2 = 1; i2 < level; ++i2)
      h = std::max(h / 2, 1);
    if (params.arithmetic == DiamondSquare::Arithmetic::bytes) {  // Fragment 12 of document 000, with int and uint8.
      int value = static_cast<int>(sum);
      value += static_cast<int>(static_cast<std::uint64_t>(k) * (2 * h) / 65536) - h;
      value /= count;
      return static_cast<float>(static_cast<std::uint8_t>(value));
    }
    const int r = static_cast<int>(static_cast<std::uint64_t>(k) * (2 * h + 1) / 65536) - h;
    const double value = std::floor((double{sum} + r) / count + 0.5);
    return static_cast<float>(std::min(std::max(value, 0.0), 255.0));
  }
  void square(int level, int x, int y, int d) {
    float sum[2] = {};
    int count = 0;
    constexpr int dx[]{-1, 1, 0, 0}, dy[]{0, 0, -1, 1};
    for (int k = 0; k < 4; ++k) {
      int nx = x + dx[k] * d, ny = y + dy[k] * d;
      if (wrap()) {
        nx = (nx + cells) % cells;
        ny = (ny + cells) % cells;
      } else if (nx < 0 || ny < 0 || nx > cells || ny > cells) {
        continue;
      }
      sum[k / 2] += at(nx, ny);
      ++count;
    }
    at(x, y) = new_height(level, x, y, d, sum[0] + sum[1], count);
  }
  void run() {
    for (int i = 0; i < 4; ++i) {
      const int x = i % 2, y = i / 2;
      const std::uint32_t k = philox({{0, 0, 0, 0}}, seed).word[wrap() ? 0 : y] >> (wrap() ? 0 : 16 * x) & 65535;
      const int odd = (k & 0x8000 ? static_cast<int>(k) - 65536 : static_cast<int>(k)) | 1;
      at(x * cells, y * cells) = params.mode == Mode::classic ? static_cast<float>(k / 256)
                                                              : static_cast<float>(odd) / 32768.0f * params.amplitude;
    }
    int level = 1;
    for (int d = cells / 2; d >= 1; d /= 2, ++level) {
      for (int y = d; y < cells; y += 2 * d)
        for (int x = d; x < cells; x += 2 * d)
          at(x, y) = new_height(level, x, y, d,
                                (at(x - d, y - d) + at(x + d, y - d)) + (at(x - d, y + d) + at(x + d, y + d)), 4);
      for (int y = 0; y <= cells; y += d)
        for (int x = y / d % 2 ? 0 : d; x <= cells; x += 2 * d)
          square(level, x, y, d);
    }
  }
};

template <class Height>
std::string difference_to(Reference& reference, const HostArray& actual) {
  const auto heights = actual.image<Height>();
  if (heights.width != reference.cells + 1 || heights.height != reference.cells + 1) return "another size";
  for (int y = 0; y < heights.height; ++y)
    for (int x = 0; x < heights.width; ++x)
      if (static_cast<float>(heights(x, y)) != reference.at(x, y))
        return std::to_string(x) + ", " + std::to_string(y) + ": " + std::to_string(heights(x, y)) + " instead of " +
               std::to_string(reference.at(x, y));
  return "";
}

TEST(DiamondSquare, BytesWrapAroundAsInTheDocument) {
  bool wrapped = false;
  for (const Edges edges : {Edges::three, Edges::wrap})
    for (int n = 1; n <= 9; ++n)
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const DiamondSquareParams params{
            .n = n, .mode = Mode::classic, .edges = edges, .arithmetic = DiamondSquare::Arithmetic::bytes};
        Reference reference{params, seed};
        reference.run();
        for_all_backends("diamond_square", [&](Backend backend, int variant, int threads) {
          EXPECT_EQ(difference_to<std::uint8_t>(reference, grown(params, seed, backend, variant, threads)), "")
              << name_of(backend) << " variant " << variant << ", n " << n << ", seed " << seed;
        });
        DiamondSquareParams rounded = params;
        rounded.arithmetic = DiamondSquare::Arithmetic::rounded;
        Reference other{rounded, seed};
        other.run();
        for (std::size_t i = 0; i < reference.heights.size(); ++i)
          wrapped |= reference.heights[i] > other.heights[i] + 200;
      }
  EXPECT_TRUE(wrapped);
}

TEST(DiamondSquare, EqualsAnIndependentReference) {
  for (const Mode mode : {Mode::classic, Mode::fractal})
    for (const Edges edges : {Edges::three, Edges::wrap})
      for (int n = 1; n <= 11; ++n) {
        const DiamondSquareParams params{.n = n, .mode = mode, .roughness = 0.75f, .amplitude = 3.0f, .edges = edges};
        const std::uint64_t seed = 0x1234567890abcdefULL + static_cast<std::uint64_t>(n);
        Reference reference{params, seed};
        reference.run();
        for_all_backends("diamond_square", [&](Backend backend, int variant, int threads) {
          const HostArray actual = grown(params, seed, backend, variant, threads);
          ASSERT_EQ(mode == Mode::classic ? difference_to<std::uint8_t>(reference, actual)
                                          : difference_to<float>(reference, actual),
                    "")
              << "n " << n << " edges " << static_cast<int>(edges);
        });
      }
}

// ---- the formula

TEST(DiamondSquare, RoundsHalvesUpAndClamps) {
  using diamond_square::new_height;
  const diamond_square::Plan plan;
  const auto half_for = [](int level, int r) {  // the first 16-bit number that gives r
    const int h = diamond_square::height_of(level);
    return static_cast<std::uint32_t>(((r + h) * 65536 + 2 * h) / (2 * h + 1));
  };
  for (int level = 1; level <= 12; ++level) {
    const int h = diamond_square::height_of(level);
    EXPECT_EQ(h, std::max(128 >> (level - 1), 1));
    for (int r = -h; r <= h; ++r)
      for (int sum = 0; sum <= 4 * 255; sum += 1 + sum % 7)
        for (const int count : {3, 4}) {
          if (sum > count * 255) continue;
          const double exact = std::floor(static_cast<double>(sum + r) / count + 0.5);
          ASSERT_EQ(new_height<std::uint8_t>(plan, level, sum, count, half_for(level, r)),
                    static_cast<int>(std::clamp(exact, 0.0, 255.0)))
              << sum << " " << r << " " << count;
        }
  }
}

TEST(DiamondSquare, DisplacementsAreUniform) {
  for (int level = 1; level <= 9; ++level) {
    const int h = diamond_square::height_of(level);
    std::vector<int> counts(static_cast<std::size_t>(2 * h + 1));
    for (std::uint32_t k = 0; k < 65536; ++k)
      ++counts[k * static_cast<std::uint32_t>(2 * h + 1) >> 16];
    for (const int count : counts)  // of 2^16 numbers, each r gets an equal share up to one
      ASSERT_LE(std::abs(count - 65536.0 / (2 * h + 1)), 1.0);
  }
  diamond_square::Plan plan;
  plan.scale[1] = 0x1p-15f;
  double sum = 0;
  for (std::uint32_t k = 0; k < 65536; ++k) {
    const float u = diamond_square::new_height<float>(plan, 1, 0.0f, 4, k);
    ASSERT_LT(std::fabs(u), 1.0f);
    sum += double{u};
  }
  EXPECT_EQ(sum, 0.0);
}

TEST(DiamondSquare, InterpolationMeetsItsEnds) {
  using diamond_square::between;
  EXPECT_EQ(between<float>(1.25f, -7.5f, 3.0f, 9.0f, 8, 8, 3), 9.0f);
  EXPECT_EQ(between<float>(1.25f, -7.5f, 3.0f, 9.0f, 0, 0, 3), 1.25f);
  EXPECT_EQ(between<std::uint8_t>(0, 255, 0, 255, 1, 0, 1), 128);  // 127.5 is rounded up
  EXPECT_EQ(between<std::uint8_t>(0, 0, 255, 255, 7, 1 << 14, 15), 128);
  EXPECT_EQ(between<std::uint8_t>(255, 255, 255, 255, 12345, 6789, 15), 255);
}

// ---- levels

TEST(DiamondSquare, LevelsOfALargeTerrainAreSmallerTerrains) {
  for (const Mode mode : {Mode::classic, Mode::fractal})
    for (const Edges edges : {Edges::three, Edges::wrap}) {
      DiamondSquareParams params{.n = 9, .mode = mode, .edges = edges};
      const HostArray whole = grown(params, 7);
      for (int level = 1; level < 9; ++level) {
        params.n = level;
        const HostArray small = grown(params, 7);
        EXPECT_EQ(checksum(small), checksum(every(whole, 1 << (9 - level)))) << level;
        params.n = 9;
        params.levels = level;
        EXPECT_EQ(checksum(small), checksum(every(grown(params, 7), 1 << (9 - level)))) << level;
        params.levels = 0;
      }
    }
}

TEST(DiamondSquare, PartlyGrownIsStraightBetweenItsPoints) {
  for_all_backends("diamond_square", [](Backend backend, int variant, int threads) {
    const HostArray out = grown({.n = 8, .mode = Mode::classic, .levels = 5}, 3, backend, variant, threads);
    const auto h = out.image<std::uint8_t>();
    for (int y = 0; y <= 256; ++y)
      for (int x = 0; x <= 256; ++x) {
        const int left = std::min(x / 8, 31) * 8, top = std::min(y / 8, 31) * 8;
        const double fx = (x - left) / 8.0, fy = (y - top) / 8.0;
        const double above = h(left, top) + (h(left + 8, top) - h(left, top)) * fx;
        const double below = h(left, top + 8) + (h(left + 8, top + 8) - h(left, top + 8)) * fx;
        ASSERT_EQ(h(x, y), static_cast<int>(std::floor(above + (below - above) * fy + 0.5))) << x << " " << y;
      }
  });
}

TEST(DiamondSquare, EveryStageOfTheLaunchesIsRight) {
  // The levels end at each boundary between launches of the fused variant, and some terrains start beyond the coarse
  // levels.
  for (const Mode mode : {Mode::classic, Mode::fractal})
    for (int levels = 1; levels <= 11; ++levels) {
      const DiamondSquareParams params{.n = 11, .mode = mode, .levels = levels};
      const HostArray expected = grown(params, 5);
      for_all_backends("diamond_square", [&](Backend backend, int variant, int threads) {
        ASSERT_EQ(difference(grown(params, 5, backend, variant, threads), expected), "") << levels;
      });
    }
}

// Checksums of the levels of one terrain, computed with NumPy by scripts/reference/diamond_square.py.
TEST(DiamondSquare, LevelsHaveTheStoredChecksums) {
  std::ifstream file(test_dir() + "/data/diamond_square.json");
  const auto json = nlohmann::json::parse(file);
  ASSERT_GT(json["cases"].size(), 3u);
  for (const auto& one : json["cases"]) {
    DiamondSquareParams params{.n = one["n"]};
    params.mode = one["mode"] == "classic" ? Mode::classic : Mode::fractal;
    params.edges = one["edges"] == "three" ? Edges::three : Edges::wrap;
    params.roughness = one["roughness"];
    params.amplitude = one["amplitude"];
    const HostArray whole = grown(params, one["seed"].get<std::uint64_t>(), Backend::openmp, 0, 2);
    const int n = params.n;
    for (int level = 1; level <= n; ++level)
      EXPECT_EQ(checksum(every(whole, 1 << (n - level))),
                one["crc32"][static_cast<std::size_t>(level - 1)].get<std::uint32_t>())
          << one["mode"] << " " << one["edges"] << " level " << level;
    if (one.contains("heights")) {
      const auto heights = whole.image<float>();
      for (int y = 0; y <= 1 << n; ++y)
        for (int x = 0; x <= 1 << n; ++x)
          EXPECT_EQ(heights(x, y),
                    one["heights"][static_cast<std::size_t>(y)][static_cast<std::size_t>(x)].get<float>());
    }
  }
}

TEST(DiamondSquare, IntermediatesGrowStepByStep) {
  const auto steps = DiamondSquare::intermediates({.n = 4});
  ASSERT_EQ(steps.size(), 8u);
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    EXPECT_EQ(steps[i].second.levels, static_cast<int>(i / 2) + 1);
    EXPECT_EQ(steps[i].second.last_step, i % 2 == 0 ? LastStep::diamond : LastStep::square);
  }
  EXPECT_EQ(steps.back().second, (DiamondSquareParams{.n = 4}));  // the result itself
  EXPECT_EQ(steps[2].first, "Level 2: diamond step");
  EXPECT_EQ(steps[3].first, "Level 2: square step");

  const DiamondSquareParams half{.n = 4, .levels = 3, .last_step = LastStep::diamond};
  const auto fewer = DiamondSquare::intermediates(half);
  ASSERT_EQ(fewer.size(), 5u);
  EXPECT_EQ(fewer.back().first, "Level 3: diamond step");
  EXPECT_EQ(fewer.back().second, half);
}

// ---- a growth that ends with a diamond step

/// The heights of the level's grid after its diamond step, from the terrains of this level and of the level before,
/// which other tests compare with the reference: its square cells are means of two.
template <class Height>
HostArray after_diamonds(const DiamondSquareParams& params, std::uint64_t seed) {
  DiamondSquareParams whole = params, before = params;
  whole.last_step = LastStep::square;
  whole.n = params.levels;
  whole.levels = 0;
  before = whole;
  before.n = whole.n - 1;
  HostArray grid = grown(whole, seed);
  const HostArray coarse =
      before.n > 0 ? grown(before, seed) : every(grid, 2);  // The corners of level 1 are those of level 0.
  const auto h = grid.image<Height>();
  const auto known = std::as_const(coarse).image<Height>();
  for (int y = 0; y < h.height; ++y)
    for (int x = 1 - y % 2; x < h.width; x += 2) {
      const double a = known(x / 2, y / 2), b = x % 2 ? known(x / 2 + 1, y / 2) : known(x / 2, y / 2 + 1);
      if constexpr (std::is_same_v<Height, float>)
        h(x, y) = static_cast<float>(a) + static_cast<float>(static_cast<float>(b) - static_cast<float>(a)) * 0.5f;
      else
        h(x, y) = static_cast<Height>(std::floor((a + b) / 2 + 0.5));
    }
  return grid;
}

TEST(DiamondSquare, AfterADiamondStepSquareCellsLieHalfway) {
  for (const Mode mode : {Mode::classic, Mode::fractal})
    for (const Edges edges : {Edges::three, Edges::wrap})
      for (const int n : {1, 2, 7, 9})
        for (int levels = 1; levels <= n; ++levels) {
          const DiamondSquareParams params{
              .n = n, .mode = mode, .edges = edges, .levels = levels, .last_step = LastStep::diamond};
          const HostArray expected =
              mode == Mode::classic ? after_diamonds<std::uint8_t>(params, 9) : after_diamonds<float>(params, 9);
          const HostArray serial = grown(params, 9);
          ASSERT_EQ(difference(every(serial, 1 << (n - levels)), expected), "") << n << " " << levels;
          for_all_backends("diamond_square", [&](Backend backend, int variant, int threads) {
            ASSERT_EQ(difference(grown(params, 9, backend, variant, threads), serial), "") << n << " " << levels;
          });
        }
}

}  // namespace
}  // namespace threadscape::testing
