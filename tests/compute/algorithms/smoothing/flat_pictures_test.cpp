// Pictures of equal floats: smoothing filters give the same floats back, to the bit, and edge filters give zeros.

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "compute/core/clip.h"
#include "compute/engines/separable/separable.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/host_backends.h"

namespace threadscape::testing {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Values whose multiples round: fractions, heights in metres, counts, negative and small numbers.
constexpr std::array values{0.1f, 1.0f / 3.0f, 0.7f, 1.9999999f, 1000.7f, -0.3f, 16777215.0f, 3.1e-5f, 65535.9f, 1.0f};

HostArray flat(float value, int channels, int width, int height) {
  HostArray picture(Shape::image(Element::f32, channels, width, height));
  for (int y = 0; y < height; ++y)
    std::fill_n(reinterpret_cast<float*>(picture.data() + static_cast<std::size_t>(y) * picture.pitch()),
                width * channels, value);
  return picture;
}

/// Returns how many values of the result differ from `expected`; alpha counts, which filters keep.
int differing(std::string_view name, const Settings& settings, const HostArray& in, Backend backend, float expected) {
  RunRequest request{.algorithm = &find_algorithm(name), .params = find_algorithm(name).defaults(), .backend = backend};
  for (const auto& [field, text] : settings)
    request.params.assign(field, text);
  request.threads = 2;
  HostArray out(in.shape());
  Runner().run_into(request, in.view(), out.view());
  int count = 0;
  for (int y = 0; y < in.shape().height; ++y) {
    const auto* row = reinterpret_cast<const float*>(out.data() + static_cast<std::size_t>(y) * out.pitch());
    for (int i = 0; i < in.shape().width * in.shape().channels; ++i)
      count += i % 4 == 3 && in.shape().channels == 4 ? 0 : row[i] != expected;
  }
  return count;
}

struct Case {
  std::string_view algorithm;
  Settings settings;
};

TEST(FlatPictures, StayAsTheyAre) {
  std::vector<Case> cases;
  for (const char* size : {"3", "5", "11", "31"}) {
    cases.push_back({"mean", {{"size", size}}});
    cases.push_back({"weighted_mean", {{"size", size}}});
    cases.push_back({"threshold_mean", {{"size", size}}});
  }
  for (const char* sigma : {"0.3", "0.8", "1", "1.5", "2.7", "8"}) {
    cases.push_back({"gaussian", {{"sigma", sigma}}});
    cases.push_back({"sharpen", {{"sigma", sigma}, {"amount", "2.3"}}});
  }
  for (const char* sigma : {"0.5", "1.5", "3"})
    cases.push_back({"bilateral", {{"sigma_space", sigma}}});
  cases.push_back({"rotating_mask", {}});
  for (const Case& one : cases)
    for (const char* border : {"mirror", "clamp", "shrink"}) {
      // These have no border that leaves pixels out.
      if (border == std::string_view("shrink") &&
          (one.algorithm == "bilateral" || one.algorithm == "rotating_mask" || one.algorithm == "threshold_mean"))
        continue;
      for (const float value : values)
        for (const int channels : {1, 4})
          for (const Backend backend : host_backends) {
            const auto& info = find_algorithm(one.algorithm);
            Settings settings = one.settings;
            settings.emplace_back("border", border);
            EXPECT_EQ(differing(info.name, settings, flat(value, channels, 70, 9), backend, value), 0)
                << one.algorithm << " " << (one.settings.empty() ? "" : one.settings[0].second) << " " << border << " "
                << value << " with " << channels << " channels";
          }
    }
}

// A clip that stands still has that picture for its mean.
TEST(FlatPictures, StayAsTheyAreInTime) {
  const AlgorithmInfo& info = find_algorithm("temporal_mean");
  for (const char* frames : {"1", "3", "7", "12"})
    for (const float value : values)
      for (const Backend backend : host_backends) {
        HostArray clip(clip_shape(Shape::image(Element::f32, 1, 37, 5), 12));
        std::fill_n(reinterpret_cast<float*>(clip.data()), 37 * 5 * 12, value);
        RunRequest request{.algorithm = &info, .params = info.defaults(), .backend = backend, .threads = 2};
        request.params.assign("frames", frames);
        HostArray out(frame_shape(clip.shape()));
        Runner().run_into(request, clip.view(), out.view());
        for (int y = 0; y < 5; ++y)
          for (int x = 0; x < 37; ++x)
            ASSERT_EQ(out.image<float>()(x, y), value) << frames << " frames";
      }
}

TEST(FlatPictures, HaveNoEdges) {
  for (const char* sigma : {"0.5", "1", "2.2", "6"})
    for (const float value : values)
      for (const Backend backend : host_backends)
        EXPECT_EQ(differing("laplacian_of_gaussian", {{"sigma", sigma}}, flat(value, 1, 70, 9), backend, 0.0f), 0)
            << sigma << " " << value;
}

// A step of a thousandth is far above what rounding leaves, so the pixels beside it are no longer those of the input.
TEST(FlatPictures, SmallStepsAreSmoothed) {
  HostArray in = flat(1000.0f, 1, 40, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 20; x < 40; ++x)
      in.image<float>()(x, y) = 1001.0f;
  for (const auto& [name, reach] : {std::pair{"mean", 1}, {"gaussian", 2}}) {
    RunRequest request{.algorithm = &find_algorithm(name), .params = find_algorithm(name).defaults()};
    HostArray out(in.shape());
    Runner().run_into(request, in.view(), out.view());
    for (int x = 20 - reach; x < 20 + reach; ++x)
      EXPECT_NE(out.image<float>()(x, 4), in.image<float>()(x, 4)) << name << " " << x;
  }
}

TEST(FlatPictures, TheBoundIsThatOfAFewRoundings) {
  // Two sums of n products, of which partial sums are half of the whole on average.
  EXPECT_LT(separable::mean_plan(3).flat_error, 12 * 0x1p-24f);
  EXPECT_LT(separable::gaussian_plan(1.0f, 0).flat_error, 24 * 0x1p-24f);
  EXPECT_LT(separable::gaussian_plan(8.0f, 0).flat_error, 100 * 0x1p-24f);
}

// A mean of infinities is infinite, and NaN stays NaN: neither is taken for a flat window.
TEST(FlatPictures, InfinitiesStay) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (const Backend backend : host_backends) {
    EXPECT_EQ(differing("mean", {}, flat(infinite, 1, 20, 9), backend, infinite), 0);
    EXPECT_EQ(differing("gaussian", {}, flat(-infinite, 1, 20, 9), backend, -infinite), 0);
    HostArray one = flat(1.0f, 1, 20, 9);
    one.image<float>()(10, 4) = infinite;
    const AlgorithmInfo& info = find_algorithm("laplacian_of_gaussian");
    HostArray out(one.shape());
    Runner().run_into({.algorithm = &info, .params = info.defaults(), .backend = backend, .threads = 2}, one.view(),
                      out.view());
    EXPECT_NE(out.image<float>()(10, 4), 0.0f) << "an infinite pixel is an edge";
  }
}

}  // namespace
}  // namespace threadscape::testing
