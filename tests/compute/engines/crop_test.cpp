// Tests of Border::crop: the result is smaller by the radius of the mask on each side, and is the inner part of that of
// other borders.

#include "compute/engines/planes/crop.h"

#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/engine_testing.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

Settings with(Settings settings, const std::string& field, const std::string& value) {
  settings.emplace_back(field, value);
  return settings;
}

HostArray inner(const HostArray& whole, int radius) {
  Shape shape = whole.shape();
  shape.width -= 2 * radius;
  shape.height -= 2 * radius;
  HostArray part(shape);
  copy(inner_part<HostIn>(whole.view(), shape, radius), part.view());
  return part;
}

struct Case {
  std::string name;
  Settings settings;
  int radius;
};
const std::vector<Case> cases{{"mean", {{"size", "3"}}, 1},
                              {"mean", {{"size", "11"}}, 5},
                              {"weighted_mean", {{"size", "5"}}, 2},
                              {"gaussian", {{"sigma", "1.2"}}, 5},
                              {"gaussian", {{"radius", "3"}}, 3},
                              {"sharpen", {{"sigma", "1"}}, 4},
                              {"convolution", {{"size", "5"}, {"preset", "sharpen"}}, 2},
                              {"convolution", {{"size", "11"}, {"preset", "gaussian"}}, 5},
                              {"convolution", {{"size", "11"}, {"preset", "emboss"}}, 5}};

TEST(Crop, IsTheInnerPartOfOtherBorders) {
  const HostArray grey = random_image<std::uint8_t>(75, 40, 1), colour = random_image<Rgba8>(75, 40, 2);
  const HostArray real_grey = float_picture(grey), real_colour = float_picture(colour);
  for (const HostArray* in : {&grey, &colour, &real_grey, &real_colour})
    for (const std::string channels : {"each", "luma"})
      for (const Case& test : cases) {
        const Settings settings = with(test.settings, "channels", channels);
        for (const Backend backend : {Backend::serial, Backend::openmp}) {
          const HostArray cropped = run(test.name, with(settings, "border", "crop"), *in, backend);
          ASSERT_EQ(cropped.shape().width, 75 - 2 * test.radius);
          ASSERT_EQ(cropped.shape().height, 40 - 2 * test.radius);
          for (const std::string_view border : border_names_before<Border::crop>) {
            const HostArray other = run(test.name, with(settings, "border", std::string(border)), *in, Backend::serial);
            EXPECT_EQ(difference(cropped, inner(other, test.radius)), "") << test.name << " " << border;
          }
        }
      }
}

TEST(Crop, RampsStayRamps) {
  // The mean of a window of a plane is the pixel in its middle, so this needs no second implementation.
  std::vector<int> ramp;
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 12; ++x)
      ramp.push_back(3 * x + 7 * y);
  const HostArray in = grey_image(12, 9, ramp);
  for (const Case& test : cases) {
    if (test.name == "convolution" || 2 * test.radius + 1 > 9) continue;
    for (const Backend backend : {Backend::serial, Backend::openmp})
      EXPECT_EQ(difference(run(test.name, with(test.settings, "border", "crop"), in, backend), inner(in, test.radius)),
                "")
          << test.name;
  }
}

TEST(Crop, OnePixelIsTheSmallestResult) {
  const Settings settings{{"size", "5"}, {"border", "crop"}};
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const HostArray out = run("mean", settings, grey_image(5, 5, std::vector<int>(25, 200)), backend);
    EXPECT_EQ(out.shape().items(), 1);
    EXPECT_EQ(out.image<std::uint8_t>()(0, 0), 200);
  }
}

TEST(Crop, TooSmallPicturesAreRefusedWithTheCure) {
  for (const auto& [width, height] : {std::pair{4, 20}, std::pair{20, 4}})
    for (const std::string name : {"mean", "convolution"})
      try {
        run(name, {{"size", "5"}, {"border", "crop"}}, grey_image(width, height, std::vector<int>(80, 1)),
            Backend::serial);
        FAIL() << name;
      } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("take a larger picture, a smaller mask or another border"),
                  std::string::npos)
            << error.what();
      }
}

TEST(Crop, FiltersThatKeepTheSizeRefuseIt) {
  for (const std::string name : {"median", "sobel", "laplacian", "bilateral", "laplacian_of_gaussian"}) {
    ParamBox params = find_algorithm(name).defaults();
    EXPECT_THROW(params.assign("border", "crop"), UsageError) << name;
    EXPECT_THROW(params.assign("border", "shrink"), UsageError) << name;
  }
}

TEST(Crop, ChainsHandOnTheSmallerPicture) {
  const HostArray in = random_image<Rgba8>(40, 31, 5);
  const HostArray expected =
      run("sobel", {}, run("mean", {{"size", "5"}, {"border", "crop"}}, in, Backend::serial), Backend::serial);
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    const HostArray out = run("chain", {{"steps", "mean size=5 border=crop | sobel"}}, in, backend);
    EXPECT_EQ(difference(out, expected), "");
  }
}

}  // namespace
}  // namespace threadscape::testing
