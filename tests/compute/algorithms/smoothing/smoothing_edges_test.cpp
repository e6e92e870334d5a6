// Smoothing and edge filters (mean, weighted_mean, gaussian, sharpen, laplacian_of_gaussian, laplacian, sobel, prewitt,
// scharr): stored results of SciPy, laws, and every SIMD target against serial.

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/engines/patches/word_source.h"
#include "compute/engines/separable/openmp/separable_simd.h"
#include "compute/engines/separable/separable.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

constexpr std::array<std::string_view, 9> filters{
    "mean", "weighted_mean", "gaussian", "sharpen", "laplacian_of_gaussian", "laplacian", "sobel", "prewitt", "scharr"};

using Settings = std::vector<std::pair<std::string, std::string>>;

HostArray run(std::string_view name, const Settings& settings, const HostArray& in, Backend backend) {
  RunRequest request{.algorithm = &find_algorithm(name), .params = find_algorithm(name).defaults(), .backend = backend};
  for (const auto& [field, text] : settings)
    request.params.assign(field, text);
  request.threads = 2;
  HostArray out(in.shape());
  std::memset(out.data(), 0xa5, out.pitch() * static_cast<std::size_t>(in.shape().height));
  Runner runner;
  runner.run_into(request, in.view(), out.view());
  return out;
}

HostArray float_image(const HostArray& grey) {
  HostArray image(Shape::image(Element::f32, 1, grey.shape().width, grey.shape().height));
  for (int y = 0; y < grey.shape().height; ++y)
    for (int x = 0; x < grey.shape().width; ++x)
      image.image<float>()(x, y) = static_cast<float>(grey.image<std::uint8_t>()(x, y)) / 255.0f;
  return image;
}

/// The largest allowed difference, in grey levels, between 8-bit results and exact ones, which are not rounded.
double allowed(const std::string& name, const nlohmann::json& set) {
  constexpr double rounding = 0.5001;
  if (name == "weighted_mean") {
    const int size = std::stoi(set.at("size").get<std::string>());
    return size <= 7 ? rounding : rounding + separable::error_bound(separable::binomial_plan(size));
  }
  const auto blur = [&] {
    return separable::error_bound(separable::gaussian_plan(std::stof(set.at("sigma").get<std::string>()), 0));
  };
  if (name == "gaussian") return rounding + blur();
  if (name == "sharpen") return rounding + std::stod(set.at("amount").get<std::string>()) * (blur() + 1.0 / 128.0);
  if (name == "laplacian_of_gaussian") return 1.0;
  return rounding;
}

TEST(SmoothingEdges, StoredCasesOfSciPy) {
  std::ifstream file(test_dir() + "/data/smoothing_edges.json");
  ASSERT_TRUE(file) << "tests/data/smoothing_edges.json is missing";
  const auto stored = nlohmann::json::parse(file);
  int count = 0;
  for (const auto& test : stored.at("cases")) {
    const int width = test.at("width"), height = test.at("height");
    const auto in = grey_image(width, height, test.at("input").get<std::vector<int>>());
    const auto real = float_image(in);
    for (const auto& result : test.at("results")) {
      const std::string name = result.at("algorithm");
      SCOPED_TRACE(test.at("border").get<std::string>() + " " + result.dump().substr(0, 120));
      Settings settings{{"border", test.at("border")}};
      for (const auto& [field, text] : result.at("set").items())
        settings.emplace_back(field, text);
      const bool direction = result.at("set").value("output", "") == "direction";
      const double max_error = direction ? 0.0 : allowed(name, result.at("set"));
      const auto expected = result.at("output").get<std::vector<double>>();
      for (const Backend backend : host_backends) {
        const auto out = run(name, settings, in, backend), real_out = run(name, settings, real, backend);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            const double exact = expected[static_cast<std::size_t>(y * width + x)];
            ASSERT_NEAR(out.image<std::uint8_t>()(x, y), exact, max_error) << x << ", " << y;
            // Float results are not clamped. Directions that are equally strong in integers may differ in floats.
            const double value = std::clamp(255.0 * static_cast<double>(real_out.image<float>()(x, y)), 0.0, 255.0);
            if (direction) continue;
            const double max_real_error =
                name == "laplacian_of_gaussian" ? 0.15 : 2e-3;  // second derivatives are shifted to add up to 0
            ASSERT_NEAR(value, exact, max_real_error) << x << ", " << y;
          }
      }
      ++count;
    }
  }
  EXPECT_EQ(count, 5 * (3 + 4 + 4 + 2 + 4 + 9 + 12 + 6));
}

TEST(SmoothingEdges, EightBitGaussiansAreWithinOneLevel) {
  for (int i = 1; i <= 80; ++i)
    for (const int radius : {0, 1, 4, 5, separable::max_radius})
      EXPECT_LT(separable::error_bound(separable::gaussian_plan(0.1f * static_cast<float>(i), radius)), 0.5)
          << "sigma " << 0.1 * i << " radius " << radius;
  for (int size = 3; size <= 31; size += 2)
    EXPECT_LT(separable::error_bound(separable::binomial_plan(size)), 0.3) << size;
}

TEST(SmoothingEdges, RadiusIsFourSigmaRoundedUp) {
  EXPECT_EQ(separable::gaussian_radius(1.0f, 0), 4);
  EXPECT_EQ(separable::gaussian_radius(1.1f, 0), 5);
  EXPECT_EQ(separable::gaussian_radius(0.1f, 0), 1);
  EXPECT_EQ(separable::gaussian_radius(8.0f, 0), separable::max_radius);
  EXPECT_EQ(separable::gaussian_radius(1.0f, 7), 7);
}

TEST(SmoothingEdges, FlatPicturesStayFlatOrHaveNoEdges) {
  for (const int level : {0, 1, 100, 255}) {
    const auto in = grey_image(90, 37, std::vector<int>(90 * 37, level));
    const auto black = grey_image(90, 37, std::vector<int>(90 * 37, 0));
    const auto grey = grey_image(90, 37, std::vector<int>(90 * 37, 128));
    for (const Backend backend : host_backends)
      for (const std::string border : {"clamp", "mirror", "reflect", "wrap"}) {
        for (const std::string size : {"3", "9", "15", "17", "31"})
          for (const std::string_view name : {"mean", "weighted_mean"})
            EXPECT_EQ(difference(run(name, {{"border", border}, {"size", size}}, in, backend), in), "") << name << size;
        for (const std::string sigma : {"0.1", "0.5", "1", "3", "8"}) {
          EXPECT_EQ(difference(run("gaussian", {{"border", border}, {"sigma", sigma}}, in, backend), in), "") << sigma;
          EXPECT_EQ(difference(run("sharpen", {{"border", border}, {"sigma", sigma}}, in, backend), in), "") << sigma;
        }
        for (const std::string sigma : {"0.5", "1", "3", "8"})
          EXPECT_EQ(
              difference(run("laplacian_of_gaussian", {{"border", border}, {"sigma", sigma}}, in, backend), black), "");
        for (const std::string_view name : {"laplacian", "sobel", "prewitt", "scharr", "laplacian_of_gaussian"}) {
          EXPECT_EQ(difference(run(name, {{"border", border}}, in, backend), black), "") << name;
          EXPECT_EQ(difference(run(name, {{"border", border}, {"output", "offset"}}, in, backend), grey), "") << name;
        }
      }
  }
}

TEST(SmoothingEdges, SharpeningByNothingChangesNothing) {
  const auto in = random_image<Rgba8>(70, 40, 3);
  for (const Backend backend : host_backends)
    EXPECT_EQ(difference(run("sharpen", {{"amount", "0"}, {"sigma", "2"}}, in, backend), in), "");
}

TEST(SmoothingEdges, DirectionsGoClockwiseFromTheRight) {
  constexpr std::array<std::array<int, 2>, 8> towards{
      {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
  for (const std::string_view name : {"sobel", "prewitt", "scharr"})
    for (const Backend backend : host_backends)
      for (std::size_t turn = 0; turn < towards.size(); ++turn) {
        std::vector<int> ramp;
        for (int y = 0; y < 9; ++y)
          for (int x = 0; x < 9; ++x)
            ramp.push_back(128 + 3 * ((x - 4) * towards[turn][0] + (y - 4) * towards[turn][1]));
        const auto out = run(name, {{"output", "direction"}}, grey_image(9, 9, ramp), backend);
        for (int i = 1; i < 8; ++i)
          EXPECT_EQ(out.image<std::uint8_t>()(i, i), 32 * static_cast<int>(turn) + 31) << name;
      }
}

TEST(SmoothingEdges, AlphaAndTheBorderOfValidAreKept) {
  const auto in = random_image<Rgba8>(90, 50, 5);
  for (const std::string_view name : filters)
    for (const Backend backend : host_backends)
      for (const std::string channels : {"each", "luma"}) {
        const auto out = run(name, {{"border", "valid"}, {"channels", channels}}, in, backend);
        for (int y = 0; y < 50; ++y)
          for (int x = 0; x < 90; ++x) {
            const Rgba8 p = out.image<Rgba8>()(x, y), own = in.image<Rgba8>()(x, y);
            ASSERT_EQ(p.a, own.a);
            const bool outer = x == 0 || y == 0 || x == 89 || y == 49, inner = x > 8 && y > 8 && x < 80 && y < 40;
            ASSERT_TRUE(!outer || p == own) << name;
            ASSERT_TRUE(!inner || channels == "each" || (p.r == p.g && p.g == p.b)) << name;
          }
      }
}

TEST(SmoothingEdges, EverySimdTargetEqualsSerial) {
  const std::vector<Settings> smooth{{{"size", "3"}},  {{"size", "5"}},  {{"size", "7"}},  {{"size", "9"}},
                                     {{"size", "11"}}, {{"size", "13"}}, {{"size", "15"}}, {{"size", "17"}},
                                     {{"size", "21"}}, {{"size", "31"}}};
  const std::vector<Settings> sigmas{{{"sigma", "0.5"}}, {{"sigma", "0.75"}}, {{"sigma", "1"}}, {{"sigma", "2.6"}}};
  const std::vector<Settings> outputs{{{"output", "absolute"}}, {{"output", "clamp"}}, {{"output", "offset"}}};
  std::vector<Settings> gradients = outputs;
  for (const std::string norm : {"l2", "x", "y"})
    for (const std::string output : {"absolute", "clamp", "offset"})
      gradients.push_back({{"norm", norm}, {"output", output}});
  gradients.push_back({{"directions", "eight"}});
  gradients.push_back({{"output", "direction"}});
  const auto grey = random_image<std::uint8_t>(333, 140, 7);
  const auto real = float_image(grey);
  const auto colour = random_image<Rgba8>(67, 35, 8);
  for (const std::string_view name : filters) {
    const auto& all = name == "mean" || name == "weighted_mean"                  ? smooth
                      : name == "gaussian" || name == "sharpen"                  ? sigmas
                      : name == "sobel" || name == "scharr" || name == "prewitt" ? gradients
                                                                                 : outputs;
    for (const Settings& settings : all) {
      SCOPED_TRACE(std::string(name) + " " + settings[0].first + "=" + settings[0].second);
      for (const HostArray* in : {&grey, &real, &colour}) {
        const auto expected = run(name, settings, *in, Backend::serial);
        for_each_simd_target([&] { ASSERT_EQ(difference(run(name, settings, *in, Backend::openmp), expected), ""); });
      }
    }
  }
}

/// Small masks have SIMD code of their own. Sigmas go from weights that are 0 beside the middle to equal weights, on
/// the largest differences; one picture has rows longer than a tile.
TEST(SmoothingEdges, SmallGaussiansOfEverySimdTargetEqualSerial) {
  auto contrast = random_image<std::uint8_t>(301, 100, 9);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 301; ++x)
      if (auto& value = contrast.image<std::uint8_t>()(x, y); y % 3 != 0) value = value < 128 ? 0 : 255;
  const auto wide = random_image<std::uint8_t>(4500, 70, 10);
  const auto expect_equal = [](const HostArray& in, const std::string& radius, const std::string& sigma) {
    const Settings settings{{"radius", radius}, {"sigma", sigma}, {"border", "reflect"}};
    const auto expected = run("gaussian", settings, in, Backend::serial);
    for_each_simd_target([&] {
      EXPECT_EQ(difference(run("gaussian", settings, in, Backend::openmp), expected), "") << radius << " " << sigma;
    });
  };
  for (const std::string radius : {"1", "2"}) {
    for (const std::string sigma : {"0.1", "0.25", "0.3", "0.4", "0.55", "0.7", "0.8", "1", "1.1", "1.5", "2.2", "8"})
      expect_equal(contrast, radius, sigma);
    expect_equal(wide, radius, "0.9");
  }
}

TEST(SmoothingEdges, RefuseWhatTheyDoNotTake) {
  for (const std::string_view name : filters) {
    const AlgorithmInfo& algorithm = find_algorithm(name);
    const ParamBox params = algorithm.defaults();
    EXPECT_THROW((void)algorithm.output_shape(params, Shape::image(Element::u32, 1, 4, 4)), UsageError);
    EXPECT_THROW((void)algorithm.output_shape(params, Shape{}), UsageError);
  }
  for (const std::string_view name : {"mean", "weighted_mean"})
    for (const char* text : {"4", "1", "33", "-3", "3.5", ""}) {
      ParamBox params = find_algorithm(name).defaults();
      EXPECT_THROW(params.assign("size", text), UsageError) << text;
    }
  for (const char* text : {"0", "-1", "9", "inf", "nan"}) {
    ParamBox params = find_algorithm("gaussian").defaults();
    EXPECT_THROW(params.assign("sigma", text), UsageError) << text;
  }
}

TEST(WordSource, PicksWhatTheBorderSays) {
  for (int width = 16; width < 30; ++width) {
    std::vector<std::uint8_t> row(static_cast<std::size_t>(width + 3) / 4 * 4, 0xee);
    for (int i = 0; i < width; ++i)
      row[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i + 1);
    for (const Border border : borders)
      for (int radius = 1; radius <= 4; ++radius)
        for (int x = -4; x < width + 4; x += 4) {
          const WordSource source = word_source(x, width, radius, border);
          const auto word = [&](int at) {
            return at < 0 ? 0u : load_words<1>(&row[static_cast<std::size_t>(at)]).word[0];
          };
          const std::uint32_t four = pick_bytes(word(source.first), word(source.second), source.pick);
          for (int i = 0; i < 4; ++i) {
            if (x + i < -radius || x + i >= width + radius) continue;
            ASSERT_EQ(four >> 8 * i & 0xff, static_cast<std::uint32_t>(border_index(x + i, width, border) + 1))
                << "column " << x + i << " of " << width << " border " << static_cast<int>(border);
          }
        }
  }
}

}  // namespace
}  // namespace threadscape::testing
