// Tests of Border::shrink: its arithmetic, and filters against plain sums of the weights inside of the picture.

#include "compute/kernel/shrink.h"

#include <algorithm>
#include <cmath>

#include "compute/engines/planes/planes.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/engine_testing.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

TEST(Shrink, CompletedSumsAreRoundedToNearest) {
  for (int sum = -60; sum <= 60; ++sum)
    for (int whole = -7; whole <= 7; ++whole)
      for (int inside = -7; inside <= 7; ++inside) {
        const int expected = whole == 0 || inside == 0
                                 ? sum
                                 : static_cast<int>(std::floor(static_cast<double>(sum) * whole / inside + 0.5));
        ASSERT_EQ(completed(sum, whole, inside), expected) << sum << " * " << whole << " / " << inside;
      }
  EXPECT_EQ(completed(2000000000, 8000000, 1), max_completed);
  EXPECT_EQ(completed(2000000000, -8000000, 1), -max_completed);
  EXPECT_EQ(completed(3.0f, 16.0f, 9.0f), 48.0f / 9.0f);
  EXPECT_EQ(completed(3.0f, 0.0f, 9.0f), 3.0f);
}

TEST(Shrink, EdgeBlocksHoldEveryPixelAtTheEdgeOnce) {
  constexpr int block_width = 32, block_height = 8;
  for (const int width : {1, 5, 31, 32, 33, 64, 65, 200})
    for (const int height : {1, 7, 8, 9, 40, 71})
      for (const int radius : {1, 4, 8, 9, 31, 32}) {
        const int across = (width + block_width - 1) / block_width, down = (height + block_height - 1) / block_height;
        std::vector<int> times(static_cast<std::size_t>(across * down));
        const EdgeBlocks blocks(width, height, radius, block_width, block_height);
        for (int i = 0; i < blocks.count(); ++i) {
          const auto block = blocks.block(i);
          ASSERT_TRUE(block.column >= 0 && block.column < across && block.row >= 0 && block.row < down);
          ++times[static_cast<std::size_t>(block.row * across + block.column)];
        }
        for (int row = 0; row < down; ++row)
          for (int column = 0; column < across; ++column) {
            bool edge = false;
            for (int y = row * block_height; y < std::min((row + 1) * block_height, height); ++y)
              for (int x = column * block_width; x < std::min((column + 1) * block_width, width); ++x)
                edge = edge || window_leaves(x, y, width, height, radius);
            ASSERT_EQ(times[static_cast<std::size_t>(row * across + column)], edge ? 1 : 0)
                << width << " x " << height << " radius " << radius << " block " << column << ", " << row;
          }
      }
}

/// The quotient of the weighted sum of the pixels inside and of the sum of their weights, for a square mask.
double mean_inside(const HostArray& in, const std::vector<double>& mask, int size, int x, int y) {
  double sum = 0.0, weights = 0.0;
  for (int ky = 0; ky < size; ++ky)
    for (int kx = 0; kx < size; ++kx) {
      const int column = x + kx - size / 2, row = y + ky - size / 2;
      if (column < 0 || row < 0 || column >= in.shape().width || row >= in.shape().height) continue;
      const double weight = mask[static_cast<std::size_t>(ky * size + kx)];
      sum += weight * in.image<std::uint8_t>()(column, row);
      weights += weight;
    }
  return sum / weights;
}

const std::vector<std::pair<int, int>> extents{{1, 1}, {2, 5}, {7, 3}, {20, 13}, {90, 41}};

void expect_means(std::string_view name, Settings settings, const std::vector<double>& mask, int size, double bound,
                  double real_bound) {
  settings.emplace_back("border", "shrink");
  for (const auto& [width, height] : extents) {
    const HostArray in = random_image<std::uint8_t>(width, height, 7);
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
      const HostArray out = run(name, settings, in, backend);
      const HostArray real = run(name, settings, float_picture(in), backend);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const double expected = mean_inside(in, mask, size, x, y);
          ASSERT_NEAR(out.image<std::uint8_t>()(x, y), expected, bound)
              << name << " size " << size << " at " << x << ", " << y << " of " << width << " x " << height;
          ASSERT_NEAR(real.image<float>()(x, y) * 255.0, expected, real_bound)
              << name << " size " << size << " at " << x << ", " << y << " of " << width << " x " << height;
        }
    }
  }
}

TEST(Shrink, MeansAreThoseOfThePixelsInside) {
  for (const int size : {3, 5, 9, 31})
    expect_means("mean", {{"size", std::to_string(size)}},
                 std::vector<double>(static_cast<std::size_t>(size * size), 1.0), size, 0.5, 1e-3);
}

TEST(Shrink, HalvesOfMeansGoUp) {
  const HostArray in = grey_image(2, 1, {2, 3});
  for (const Backend backend : {Backend::serial, Backend::openmp})
    EXPECT_EQ(run("mean", {{"border", "shrink"}}, in, backend).image<std::uint8_t>()(0, 0), 3);
}

TEST(Shrink, GaussiansAreScaledByTheWeightsInside) {
  for (const double sigma : {0.8, 2.0, 5.0}) {
    const int radius = static_cast<int>(std::ceil(4.0 * sigma)), size = 2 * radius + 1;
    std::vector<double> mask;
    for (int y = -radius; y <= radius; ++y)
      for (int x = -radius; x <= radius; ++x)
        mask.push_back(std::exp(-(x * x + y * y) / (2.0 * sigma * sigma)));
    expect_means("gaussian", {{"sigma", std::to_string(sigma)}}, mask, size, 1.0, 1e-3);
  }
}

TEST(Shrink, WeightedMeansAreScaledByTheWeightsInside) {
  expect_means("weighted_mean", {{"size", "3"}}, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 3, 0.5, 1e-3);
}

/// A mask for each order of summation, as text, and its weights.
struct MaskCase {
  int size;
  std::string text;
  std::vector<double> weights;
};
std::vector<MaskCase> masks() {
  std::vector<MaskCase> all;
  for (const int size : {3, 7, 9, 11, 15})
    for (const int kind : {0, 1, 2}) {  // integers, fractions, and fractions of rank 1
      MaskCase mask{size, "", {}};
      for (int i = 0; i < size * size; ++i) {
        const int x = i % size, y = i / size;
        const float number = static_cast<float>((x * 5 + y * 3 + x * y) % 7 + 1);
        const float weight = kind == 0   ? number
                             : kind == 1 ? 0.1f * number
                                         : (0.1f * static_cast<float>(x + 1)) * (0.3f * static_cast<float>(y + 1));
        const std::string text = std::to_string(weight);
        mask.text += (i > 0 ? "," : "") + text;
        mask.weights.push_back(static_cast<double>(std::stof(text)));
      }
      all.push_back(mask);
    }
  return all;
}

TEST(Shrink, ConvolutionsAreScaledByTheWeightsInside) {
  for (const MaskCase& mask : masks())
    expect_means("convolution",
                 {{"size", std::to_string(mask.size)}, {"mask", mask.text}, {"divide_by", "sum"}, {"bias", "0"}},
                 mask.weights, mask.size, 0.501, 2e-3);
}

TEST(Shrink, MasksOfDifferencesHaveZerosOutside) {
  const HostArray in = random_image<std::uint8_t>(21, 14, 3);
  for (const std::string size : {"3", "11"}) {
    const Settings edge{{"size", size}, {"preset", "edge"}, {"divisor", "9"}, {"bias", "128"}};
    Settings zero = edge, shrink = edge;
    zero.emplace_back("border", "zero");
    shrink.emplace_back("border", "shrink");
    for (const Backend backend : {Backend::serial, Backend::openmp})
      EXPECT_EQ(difference(run("convolution", shrink, in, backend), run("convolution", zero, in, backend)), "");
  }
}

TEST(Shrink, FlatPicturesStayFlat) {
  const HostArray in = grey_image(30, 12, std::vector<int>(360, 77));
  const std::vector<std::pair<std::string, Settings>> filters{{"mean", {{"size", "7"}}},
                                                              {"weighted_mean", {{"size", "9"}}},
                                                              {"gaussian", {{"sigma", "2"}}},
                                                              {"sharpen", {{"amount", "3"}}},
                                                              {"convolution", {{"preset", "sharpen"}}},
                                                              {"convolution", {{"preset", "emboss"}}}};
  for (auto [name, settings] : filters) {
    settings.emplace_back("border", "shrink");
    for (const Backend backend : {Backend::serial, Backend::openmp})
      EXPECT_EQ(difference(run(name, settings, in, backend), in), "") << name;
  }
}

TEST(Shrink, BackendsAgreeAndTheInteriorIsThatOfOtherBorders) {
  constexpr int width = 75, height = 40, radius = 5;
  const std::vector<std::pair<std::string, Settings>> filters{{"mean", {{"size", "11"}}},
                                                              {"gaussian", {{"sigma", "1.2"}}},
                                                              {"sharpen", {{"sigma", "1.2"}}},
                                                              {"convolution", {{"size", "5"}, {"preset", "sharpen"}}},
                                                              {"convolution", {{"size", "11"}, {"preset", "gaussian"}}},
                                                              {"convolution", {{"size", "11"}, {"preset", "emboss"}}}};
  const HostArray grey = random_image<std::uint8_t>(width, height, 1), colour = random_image<Rgba8>(width, height, 2);
  const HostArray real_grey = float_picture(grey), real_colour = float_picture(colour);
  for (const HostArray* in : {&grey, &colour, &real_grey, &real_colour})
    for (const std::string channels : {"each", "luma"})
      for (const auto& [name, settings] : filters) {
        Settings shrink = settings, zero = settings;
        shrink.insert(shrink.end(), {{"border", "shrink"}, {"channels", channels}});
        zero.insert(zero.end(), {{"border", "zero"}, {"channels", channels}});
        const HostArray expected = run(name, shrink, *in, Backend::serial);
        const HostArray zeros = run(name, zero, *in, Backend::serial);
        const std::size_t pixel = in->shape().pixel_bytes();
        for (std::size_t y = radius; y < height - radius; ++y)
          EXPECT_EQ(std::memcmp(expected.data() + y * expected.pitch() + radius * pixel,
                                zeros.data() + y * zeros.pitch() + radius * pixel, (width - 2 * radius) * pixel),
                    0)
              << name;
        for_each_simd_target([&, name = name] {  // Clang 15 captures no structured bindings by itself.
          EXPECT_EQ(difference(run(name, shrink, *in, Backend::openmp), expected), "") << name;
        });
      }
}

}  // namespace
}  // namespace threadscape::testing
