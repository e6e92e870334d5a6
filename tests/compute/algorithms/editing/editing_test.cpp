// Steps of editing: crop, rotate and levels against references that are written down here.

#include <gtest/gtest.h>

#include <cmath>

#include "compute/algorithms/editing/levels/levels.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape {
namespace {

/// A grey picture with the number 10 row + column in each pixel.
HostArray counted(int width, int height) {
  HostArray array(Shape::image(Element::u8, 1, width, height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      array.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(10 * y + x);
  return array;
}

HostArray edited(const char* algorithm, const HostArray& in,
                 const std::vector<std::pair<std::string, std::string>>& values) {
  RunRequest request{.algorithm = &find_algorithm(algorithm), .backend = Backend::serial};
  request.params = request.algorithm->defaults();
  for (const auto& [name, value] : values)
    request.params.assign(name, value);
  return Runner().run(request, in.view()).output;
}

/// The pixels row by row.
std::vector<int> numbers_of(const HostArray& array) {
  std::vector<int> numbers;
  const auto image = array.image<std::uint8_t>();
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      numbers.push_back(image(x, y));
  return numbers;
}

TEST(Editing, CropKeepsARectangle) {
  const HostArray in = counted(4, 3);
  EXPECT_EQ(numbers_of(edited("crop", in, {{"left", "1"}, {"top", "1"}, {"width", "2"}, {"height", "1"}})),
            (std::vector{11, 12}));
  EXPECT_EQ(numbers_of(edited("crop", in, {{"left", "2"}, {"top", "1"}})), (std::vector{12, 13, 22, 23}));
  EXPECT_EQ(numbers_of(edited("crop", in, {{"left", "3"}, {"width", "60000"}})), (std::vector{3, 13, 23}))
      << "cut at the edge";
  EXPECT_EQ(numbers_of(edited("crop", in, {})), numbers_of(in));
}

TEST(Editing, ACropOutsideOfThePictureIsRefusedWithWhatIsPossible) {
  try {
    (void)edited("crop", counted(4, 3), {{"left", "4"}});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "crop: left=4 lies outside of a picture 4 pixels wide; at most 3");
  }
}

TEST(Editing, RotateTurnsClockwiseAndFlipsAfterwards) {
  const HostArray in = counted(3, 2);  // 0 1 2 | 10 11 12
  const auto turned = [&](const char* turn, const char* flip) {
    return numbers_of(edited("rotate", in, {{"turn", turn}, {"flip", flip}}));
  };
  EXPECT_EQ(turned("right", "none"), (std::vector{10, 0, 11, 1, 12, 2}));
  EXPECT_EQ(turned("left", "none"), (std::vector{2, 12, 1, 11, 0, 10}));
  EXPECT_EQ(turned("half", "none"), (std::vector{12, 11, 10, 2, 1, 0}));
  EXPECT_EQ(turned("none", "horizontal"), (std::vector{2, 1, 0, 12, 11, 10}));
  EXPECT_EQ(turned("none", "vertical"), (std::vector{10, 11, 12, 0, 1, 2}));
  EXPECT_EQ(turned("right", "horizontal"), (std::vector{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(turned("left", "vertical"), (std::vector{0, 10, 1, 11, 2, 12})) << "both are the transposed picture";
  EXPECT_EQ(turned("half", "vertical"), turned("none", "horizontal"));
  EXPECT_EQ(edited("rotate", in, {}).shape().width, 2);
}

TEST(Editing, LevelsStretchBendAndInvert) {
  const HostArray in = counted(10, 10);  // 0 .. 99
  const auto at = [&](int number, const std::vector<std::pair<std::string, std::string>>& values) {
    return numbers_of(edited("levels", in, values))[static_cast<std::size_t>(number)];
  };
  EXPECT_EQ(numbers_of(edited("levels", in, {})), numbers_of(in));
  EXPECT_EQ(at(20, {{"black", "20"}, {"white", "70"}}), 0);
  EXPECT_EQ(at(10, {{"black", "20"}, {"white", "70"}}), 0);
  EXPECT_EQ(at(45, {{"black", "20"}, {"white", "70"}}), 128) << "127.5 is rounded up";
  EXPECT_EQ(at(80, {{"black", "20"}, {"white", "70"}}), 255);
  EXPECT_EQ(at(64, {{"gamma", "2"}}), 128) << "255 sqrt(64 / 255) = 127.75";
  EXPECT_EQ(at(30, {{"low", "255"}, {"high", "0"}}), 225);
  EXPECT_EQ(at(0, {{"low", "50"}, {"high", "60"}}), 50);
  EXPECT_THROW((void)edited("levels", in, {{"black", "90"}, {"white", "90"}}), UsageError);
}

TEST(Editing, FloatsAreCutAtBlackAndWhiteAndNaNIsBlack) {
  HostArray in(Shape::image(Element::f32, 1, 4, 1));
  const auto pixels = in.image<float>();
  pixels(0, 0) = -1.0f, pixels(1, 0) = 0.25f, pixels(2, 0) = 7.0f, pixels(3, 0) = std::nanf("");
  const HostArray out = edited("levels", in, {{"gamma", "2"}});
  EXPECT_EQ(out.image<float>()(0, 0), 0.0f);
  EXPECT_EQ(out.image<float>()(1, 0), 0.5f);
  EXPECT_EQ(out.image<float>()(2, 0), 1.0f);
  EXPECT_EQ(out.image<float>()(3, 0), 0.0f);
}

TEST(Editing, ThePowerIsThatOfTheStandardLibrary) {
  for (const double exponent : {0.1, 1 / 2.2, 0.5, 0.999, 1.0, 2.0, 2.2, 10.0})
    for (const double x : {0.0, 1e-38, 1e-9, 0.001, 0.25, 0.4999, 0.5, 0.7071, 0.70711, 0.9999, 1.0}) {
      const double expected = std::pow(x, exponent), found = levels::power(x, exponent);
      if (expected < 1e-40)
        EXPECT_LE(found, 1e-40) << x << "^" << exponent;
      else
        EXPECT_NEAR(found, expected, 1e-11 * expected) << x << "^" << exponent;
    }
}

}  // namespace
}  // namespace threadscape
