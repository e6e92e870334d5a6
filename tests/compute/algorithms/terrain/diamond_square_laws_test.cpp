// Tests of the properties of diamond-square: statistics over many seeds, roughness, tiling, seed grids, and rejected
// input.

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"

#include <cmath>
#include <vector>

#include "compute/io/pictures/heightfield_file.h"
#include "compute/run/memory_plan.h"
#include "tests/support/compute/terrain_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

using DiamondSquareParams = DiamondSquare::Params;
using Mode = DiamondSquare::Mode;
using Edges = DiamondSquare::Edges;

HostArray grown_by_law(const DiamondSquareParams& params, std::uint64_t seed, Backend backend = Backend::openmp) {
  return run_terrain("diamond_square", ParamBox::of(params), HostArray(), seed, backend);
}

/// Sums over seeds for each point.
struct Moments {
  std::vector<double> sum, squares;
  double seeds = 0;
  void add(ImageView<const float> heights) {
    const auto count = static_cast<std::size_t>(heights.width) * static_cast<std::size_t>(heights.height);
    sum.resize(count);
    squares.resize(count);
    for (int y = 0; y < heights.height; ++y)
      for (int x = 0; x < heights.width; ++x) {
        const double h = double{heights(x, y)};
        const auto i =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(heights.width) + static_cast<std::size_t>(x);
        sum[i] += h;
        squares[i] += h * h;
      }
    ++seeds;
  }
  [[nodiscard]] double mean(std::size_t i) const { return sum[i] / seeds; }
  [[nodiscard]] double variance(std::size_t i) const { return squares[i] / seeds - mean(i) * mean(i); }
};

/// The variance of each point according to the model: every height is a weighted sum of independent displacements, and
/// the weights follow level by level.
std::vector<double> model_variances(int n, double roughness, double amplitude, bool wrap) {
  // Each height is represented by its weights of the displacements, in the order in which they are drawn.
  const int cells = 1 << n, side = cells + 1;
  const auto count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  std::vector<std::vector<double>> weights(count);
  std::vector<double> deviations;
  const auto at = [&](int x, int y) -> std::vector<double>& {
    return weights[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)];
  };
  const auto draw = [&](std::vector<double>& w, int level) {
    w.resize(deviations.size() + 1);
    w[deviations.size()] = 1.0;
    deviations.push_back(amplitude * std::pow(2.0, -roughness * level) / std::sqrt(3.0));  // uniform in -1..1
  };
  const auto mix = [&](const std::vector<const std::vector<double>*>& from) {
    std::vector<double> w(deviations.size());
    for (const auto* one : from)
      for (std::size_t i = 0; i < one->size(); ++i)
        w[i] += (*one)[i] / static_cast<double>(from.size());
    return w;
  };
  draw(at(0, 0), 0);
  for (const auto& [x, y] : {std::pair{cells, 0}, {0, cells}, {cells, cells}})
    if (wrap)
      at(x, y) = at(0, 0);
    else
      draw(at(x, y), 0);
  for (int level = 1, d = cells / 2; d >= 1; ++level, d /= 2) {
    for (int y = d; y < cells; y += 2 * d)
      for (int x = d; x < cells; x += 2 * d) {
        at(x, y) = mix({&at(x - d, y - d), &at(x + d, y - d), &at(x - d, y + d), &at(x + d, y + d)});
        draw(at(x, y), level);
      }
    for (int y = 0; y <= cells; y += d)
      for (int x = y / d % 2 ? 0 : d; x <= cells; x += 2 * d) {
        if (wrap && (x == cells || y == cells)) {
          at(x, y) = at(x % cells, y % cells);
          continue;
        }
        std::vector<const std::vector<double>*> from;
        for (const auto& [dx, dy] : {std::pair{-d, 0}, {d, 0}, {0, -d}, {0, d}}) {
          int nx = x + dx, ny = y + dy;
          if (wrap) nx = (nx + cells) % cells, ny = (ny + cells) % cells;
          if (nx >= 0 && ny >= 0 && nx <= cells && ny <= cells) from.push_back(&at(nx, ny));
        }
        at(x, y) = mix(from);
        draw(at(x, y), level);
      }
  }
  std::vector<double> variances;
  for (const auto& w : weights) {
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
      sum += w[i] * w[i] * deviations[i] * deviations[i];
    variances.push_back(sum);
  }
  return variances;
}

// Over 1000 seeds the mean of a point has a standard error of s / sqrt(1000), and its variance has a standard error
// below s^2 sqrt(2 / 1000) = 4.5 % (the tails are lighter than those of a normal distribution). Five standard errors
// are allowed at each of the 1089 points.
TEST(DiamondSquareLaws, NoBiasButTheModelsAtTheBorderOrInTheMiddle) {
  for (const Edges edges : {Edges::three, Edges::wrap}) {
    const DiamondSquareParams params{.n = 5, .roughness = 0.6f, .edges = edges};
    Moments moments;
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
      moments.add(grown_by_law(params, seed).image<float>());
    const std::vector<double> variances = model_variances(5, double{params.roughness}, 1.0, edges == Edges::wrap);
    for (std::size_t i = 0; i < variances.size(); ++i) {
      EXPECT_NEAR(moments.mean(i), 0.0, 5 * std::sqrt(variances[i] / 1000)) << i;
      EXPECT_NEAR(moments.variance(i) / variances[i], 1.0, 5 * std::sqrt(2.0 / 1000)) << i;
    }
  }
}

// Without drift the mean of all heights is the mean of the corners, 127.5; its standard deviation over seeds is
// about 40.
TEST(DiamondSquareLaws, ClassicDoesNotDriftWithSize) {
  for (const int n : {2, 5, 8}) {
    double sum = 0;
    const int seeds = 1000;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const HostArray terrain = grown_by_law({.n = n, .mode = Mode::classic}, seed);
      const auto heights = terrain.image<std::uint8_t>();
      double mean = 0;
      for (int y = 0; y < heights.height; ++y)
        for (int x = 0; x < heights.width; ++x)
          mean += heights(x, y);
      sum += mean / heights.width / heights.height;
    }
    EXPECT_NEAR(sum / seeds, 127.5, 5 * 45 / std::sqrt(1000.0)) << n;
  }
}

/// The variogram: the mean squared difference of points `lag` apart.
double variogram(ImageView<const float> heights, int lag) {
  double sum = 0, count = 0;
  for (int y = 0; y < heights.height; ++y)
    for (int x = 0; x + lag < heights.width; ++x, ++count)
      sum += std::pow(double{heights(x + lag, y)} - double{heights(x, y)}, 2);
  return sum / count;
}

// log2 of the variogram rises by 2 H from a lag to twice the lag. Diamond-square follows this roughly: averaging makes
// the slope steeper for small H, and creases (displacements that are not stationary) make it flatter for large H.
TEST(DiamondSquareLaws, VariogramFollowsRoughness) {
  double before = -1.0;
  for (const float roughness : {0.2f, 0.4f, 0.6f, 0.8f}) {
    double slope = 0;
    constexpr int seeds = 12, first = 1, last = 16;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const HostArray terrain = grown_by_law({.n = 9, .roughness = roughness, .edges = Edges::wrap}, seed);
      slope += std::log2(variogram(terrain.image<float>(), last) / variogram(terrain.image<float>(), first)) /
               std::log2(last / first) / seeds;
    }
    EXPECT_NEAR(slope, 2 * double{roughness}, 0.3) << roughness;
    EXPECT_GT(slope, before + 0.2);
    before = slope;
  }
}

TEST(DiamondSquareLaws, WrapTiles) {
  for (const Mode mode : {Mode::classic, Mode::fractal})
    for (const int levels : {0, 4}) {
      const HostArray terrain = grown_by_law({.n = 7, .mode = mode, .edges = Edges::wrap, .levels = levels}, 11);
      const auto same = [&]<class Height>(Height) {
        const auto h = terrain.image<Height>();
        for (int i = 0; i <= 128; ++i) {
          ASSERT_EQ(h(i, 0), h(i, 128));
          ASSERT_EQ(h(0, i), h(128, i));
        }
      };
      mode == Mode::classic ? same(std::uint8_t{}) : same(float{});
    }
}

TEST(DiamondSquareLaws, SeedsAndRoughnessMatterAndThreadsDoNot) {
  const DiamondSquareParams params{.n = 6};
  EXPECT_NE(checksum(grown_by_law(params, 1)), checksum(grown_by_law(params, 2)));
  EXPECT_NE(checksum(grown_by_law(params, 1)), checksum(grown_by_law(params, std::uint64_t{1} << 32)));
  EXPECT_NE(checksum(grown_by_law(params, 1)), checksum(grown_by_law({.n = 6, .roughness = 0.1f}, 1)));
  EXPECT_EQ(checksum(grown_by_law(params, 1)), checksum(grown_by_law(params, 1)));
}

TEST(DiamondSquareLaws, WithoutDisplacementTheTerrainIsFlat) {
  const auto flat = grown_by_law({.n = 6, .amplitude = 0.0f}, 3);
  for (int i = 0; i <= 64; ++i)
    EXPECT_EQ(flat.image<float>()(i, 64 - i), 0.0f);
}

// ---- seed grids and rejected input

class DiamondSquareFiles : public TestFolder {
 protected:
  std::string saved(const HostArray& heights, const std::string& name) const {
    io::save_heightfield(path(name), heights.view(), 0);
    return path(name);
  }
  /// The message of the UsageError, or "" if there is none.
  static std::string refusal(const DiamondSquareParams& params) {
    try {
      (void)grown_by_law(params, 0);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      return error.what();
    }
    return "";
  }
};

TEST_F(DiamondSquareFiles, SeedGridsAreKept) {
  for (const int m : {1, 3, 7, 8}) {
    const int side = (1 << m) + 1;
    const HostArray map = heightfield<float>(side, side, [](int x, int y) { return x * 0.25 - y * 1.5; });
    const std::string file = saved(map, "map" + std::to_string(m) + ".r32");
    for (const int n : {m, m + 2})
      for_all_backends("diamond_square", [&](Backend backend, int variant, int threads) {
        const DiamondSquareParams params{.n = n, .seed_grid = file};
        const HostArray terrain =
            run_terrain("diamond_square", ParamBox::of(params), HostArray(), 4, backend, variant, threads);
        EXPECT_EQ(difference(every(terrain, 1 << (n - m)), map), "") << m << " " << n;
        EXPECT_EQ(difference(terrain, grown_by_law(params, 4, Backend::serial)), "");
        DiamondSquareParams half = params;
        half.last_step = DiamondSquare::LastStep::diamond;
        const HostArray diamonds =
            run_terrain("diamond_square", ParamBox::of(half), HostArray(), 4, backend, variant, threads);
        EXPECT_EQ(difference(every(diamonds, 1 << (n - m)), map), "") << m << " " << n;
        EXPECT_EQ(difference(diamonds, grown_by_law(half, 4, Backend::serial)), "");
        EXPECT_EQ(difference(diamonds, terrain) == "", n == m) << "a map alone has no diamond step";
      });
  }
}

TEST_F(DiamondSquareFiles, GreyLevelsAreScaledAndFloatsAreHeights) {
  const std::string grey =
      saved(heightfield<std::uint8_t>(2, 2, [](int x, int y) { return 255 * x + 51 * y * (1 - x); }), "a.png");
  const auto fractal = grown_by_law({.n = 1, .amplitude = 10.0f, .seed_grid = grey}, 0);
  EXPECT_EQ(fractal.image<float>()(2, 0), 10.0f);
  EXPECT_EQ(fractal.image<float>()(0, 2), 2.0f);
  const std::string floats =
      saved(heightfield<float>(2, 2, [](int x, int y) { return x * 300.0 - y * 2 + 7.5; }), "b.r32");
  const auto classic = grown_by_law({.n = 1, .mode = Mode::classic, .seed_grid = floats}, 0);
  EXPECT_EQ(classic.image<std::uint8_t>()(0, 0), 8);
  EXPECT_EQ(classic.image<std::uint8_t>()(2, 0), 255);
  const auto wrapped = grown_by_law({.n = 1, .edges = Edges::wrap, .seed_grid = floats}, 0);
  EXPECT_EQ(wrapped.image<float>()(2, 2), 7.5f) << "the last column and row are the first";
}

TEST_F(DiamondSquareFiles, BadSeedGridsAreRefusedWithTheReason) {
  const auto zero = [](int, int) { return 0; };
  const auto of = [&](int width, int height) {
    return saved(heightfield<std::uint8_t>(width, height, zero),
                 std::to_string(width) + "x" + std::to_string(height) + ".png");
  };
  EXPECT_NE(refusal({.n = 4, .seed_grid = of(5, 3)}).find("has 5x3 points: it is not square"), std::string::npos);
  EXPECT_NE(refusal({.n = 4, .seed_grid = of(6, 6)}).find("its side is not 2^m + 1"), std::string::npos);
  EXPECT_NE(refusal({.n = 4, .seed_grid = of(1, 1)}).find("its side is not 2^m + 1"), std::string::npos);
  EXPECT_NE(refusal({.n = 2, .seed_grid = of(9, 9)}).find("larger than the terrain, which has 5 a side (n = 2)"),
            std::string::npos);
  EXPECT_THROW((void)grown_by_law({.n = 4, .seed_grid = path("missing.png")}, 0), EnvironmentError);
}

TEST(DiamondSquareRefusals, OutOfRangeAndMemoryIsKnownBeforeTheRun) {
  ParamBox params = ParamBox::of(DiamondSquareParams{});
  for (const char* n : {"0", "16", "-1", "x"})
    EXPECT_THROW(params.assign("n", n), UsageError) << n;
  EXPECT_THROW(params.assign("roughness", "1.5"), UsageError);
  EXPECT_THROW(params.assign("mode", "midpoint"), UsageError);
  const RunRequest request{&find_algorithm("diamond_square"), ParamBox::of(DiamondSquareParams{.n = 15}),
                           Backend::serial};
  const MemoryPlan need = plan_memory(request, {});
  EXPECT_GE(need.host_bytes(), std::size_t{32769} * 32769 * 4);
}

}  // namespace
}  // namespace threadscape::testing
