// Similarity: values of scikit-image (scripts/reference/compare.py), and cases with known answers.

#include "compute/run/similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "compute/core/errors.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

struct Case {
  std::string name;
  Shape shape;
  int channels = 1;  ///< Channels with values of the formula; the fourth channel of a picture is opaque in both.
  int peak = 255;
  double divisor = 1;
};

const std::vector<Case> cases{
    {"grey", Shape::image(Element::u8, 1, 64, 48)},
    {"rgb", Shape::image(Element::u8, 4, 41, 33), 3},
    {"deep", Shape::image(Element::u16, 1, 37, 30), 1, 65535},
    {"float", Shape::image(Element::f32, 1, 26, 21), 1, 255, 256},
    {"volume", {Kind::volume, Element::f32, 1, 20, 17, 14}, 1, 255, 64},
    {"sequence", {Kind::sequence, Element::i32, 1, 300, 1, 1}},
};

template <class T>
void fill(HostArray& data, const Case& is, bool second) {
  const Shape& shape = data.shape();
  for (std::int64_t line = 0; line < shape.height * shape.depth; ++line) {
    auto* value = reinterpret_cast<T*>(data.data() + static_cast<std::size_t>(line) * data.pitch());
    const std::int64_t y = line % shape.height, z = line / shape.height;
    for (std::int64_t x = 0; x < shape.width; ++x)
      for (std::int64_t c = 0; c < shape.channels; ++c) {
        const std::int64_t a = (x * 37 + y * 91 + x * y + z * 53 + c * 29) % 256;
        const std::int64_t b = (a * 3 + (x * 13 + y * 7 + z * 5 + c * 11) % 64 * 4) / 4;
        const auto number = static_cast<double>((second ? b : a) * (is.peak / 255)) / is.divisor;
        *value++ = static_cast<T>(c < is.channels ? number : is.peak);
      }
  }
}

HostArray make(const Case& is, bool second) {
  HostArray data(is.shape);
  switch (is.shape.element) {
    case Element::u8:
      fill<std::uint8_t>(data, is, second);
      break;
    case Element::u16:
      fill<std::uint16_t>(data, is, second);
      break;
    case Element::i32:
      fill<std::int32_t>(data, is, second);
      break;
    default:
      fill<float>(data, is, second);
  }
  return data;
}

nlohmann::json references() {
  std::ifstream file(test_dir() + "/data/compare.json");
  return nlohmann::json::parse(file).at("cases");
}

// Sums of doubles in another order differ by about 1e-13 of the result; SSIM divides differences of squares, which
// costs about four more digits.
TEST(Similarity, EqualsScikitImage) {
  const nlohmann::json wanted = references();
  for (const Case& is : cases) {
    SCOPED_TRACE(is.name);
    const auto& expected = wanted.at(is.name);
    const HostArray a = make(is, false), b = make(is, true);
    const Similarity result = measure_similarity(a.view(), b.view(), {.channels = is.channels});
    EXPECT_NEAR(result.rmse, expected.at("rmse").get<double>(), 1e-9 * result.rmse);
    EXPECT_EQ(result.largest.value, expected.at("maximum").get<double>());
    EXPECT_EQ(result.different, expected.at("different").get<std::int64_t>());
    EXPECT_NEAR(result.psnr_db, expected.at("psnr_db").get<double>(), 1e-9);
    ASSERT_TRUE(result.ssim.has_value());
    EXPECT_NEAR(*result.ssim, expected.at("ssim").get<double>(), 1e-9);
  }
}

TEST(Similarity, EqualDataAreEqual) {
  const HostArray a = make(cases.front(), false);
  const Similarity result = measure_similarity(a.view(), a.view());
  EXPECT_EQ(result.different, 0);
  EXPECT_EQ(result.largest.value, 0);
  EXPECT_EQ(result.rmse, 0);
  EXPECT_EQ(result.psnr_db, std::numeric_limits<double>::infinity());
  ASSERT_TRUE(result.ssim.has_value());
  EXPECT_DOUBLE_EQ(*result.ssim, 1);
}

TEST(Similarity, NamesThePlaceOfTheLargestDifference) {
  const HostArray a = make(cases[1], false);
  HostArray b = a.clone();
  auto& pixel = b.image<Rgba8>()(17, 5);
  const int before = pixel.b;
  pixel.b = static_cast<std::uint8_t>(before < 128 ? before + 100 : before - 100);
  const Similarity result = measure_similarity(a.view(), b.view());
  EXPECT_EQ(result.different, 1);
  EXPECT_EQ(result.largest.value, 100);
  EXPECT_EQ(result.largest.at, (std::array<std::int64_t, 3>{17, 5, 0}));
  EXPECT_EQ(result.largest.channel, 2);
  EXPECT_EQ(result.largest.a, before);
}

TEST(Similarity, NotANumberEqualsItselfAndNothingElse) {
  HostArray a(Shape::image(Element::f32, 1, 4, 3)), b(a.shape());
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 4; ++x)
      a.image<float>()(x, y) = b.image<float>()(x, y) = 0.5f;
  a.image<float>()(1, 1) = b.image<float>()(1, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(measure_similarity(a.view(), b.view()).different, 0);
  b.image<float>()(1, 1) = 0.5f;
  const Similarity result = measure_similarity(a.view(), b.view());
  EXPECT_EQ(result.different, 1);
  EXPECT_EQ(result.largest.value, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(result.ssim.has_value()) << "four pixels are too few for a window of eleven";
}

TEST(Similarity, RefusesOtherShapes) {
  const HostArray a(Shape::image(Element::u8, 1, 4, 3)), b(Shape::image(Element::u8, 1, 3, 4));
  EXPECT_THROW((void)measure_similarity(a.view(), b.view()), UsageError);
}

}  // namespace
}  // namespace threadscape
