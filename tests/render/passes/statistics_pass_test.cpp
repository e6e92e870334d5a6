// Tests of histograms against counts on the host, and of the similarity against values of scikit-image and known
// limits.

#include "render/passes/statistics_pass.h"

#include <algorithm>
#include <cmath>

#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using testing::random_picture;
using testing::texture_of;

class StatisticsTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped()) pass_ = std::make_unique<render::StatisticsPass>(library_);
  }
  render::PictureStatistics statistics(const gl::Texture* first, const gl::Texture* second, std::int64_t band) {
    pass_->begin(first, second);
    while (!pass_->done())
      pass_->step(band);
    return pass_->result();
  }

  gl::ShaderLibrary library_;
  std::unique_ptr<render::StatisticsPass> pass_;
};

int level(double value) {
  return static_cast<int>(std::clamp(value, 0.0, 1.0) * 255.0 + 0.5);
}

TEST_F(StatisticsTest, HistogramCountsEveryPixelOnce) {
  for (const auto& [width, height] : {std::pair{1, 1}, {300, 77}, {17, 500}}) {
    const HostArray picture = random_picture(gl::Format::rgba8, width, height, 5);
    const gl::Texture texture = texture_of(picture.view());
    std::array<std::array<std::uint32_t, 256>, 3> expected{};
    const auto pixels = picture.image<Rgba8>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        ++expected[0][pixels(x, y).r];
        ++expected[1][pixels(x, y).g];
        ++expected[2][pixels(x, y).b];
      }
    for (const std::int64_t band : {std::int64_t{1}, std::int64_t{1} << 21}) {
      const auto result = statistics(nullptr, &texture, band);
      EXPECT_FALSE(result.first);
      EXPECT_FALSE(result.similarity);
      ASSERT_TRUE(result.second);
      for (std::size_t channel = 0; channel < 3; ++channel)
        EXPECT_EQ(result.second->counts[channel], expected[channel]) << width << "x" << height << " band " << band;
      std::uint32_t all = 0;
      for (const std::uint32_t n : result.second->counts[3])
        all += n;
      EXPECT_EQ(all, static_cast<std::uint32_t>(width * height));
    }
  }
}

TEST_F(StatisticsTest, HeightsGoFromTheLowestToTheHighest) {
  HostArray picture({Kind::heightfield, Element::f32, 1, 3, 2, 1});
  const auto heights = picture.image<float>();
  const float values[] = {-250.5f, 100.0f, -75.25f, std::nanf(""), 99.0f, 100.0f};
  for (int i = 0; i < 6; ++i)
    heights(i % 3, i / 3) = values[i];
  const gl::Texture texture = texture_of(picture.view());
  pass_->begin(&texture, nullptr, true);
  while (!pass_->done())
    pass_->step(1);
  const render::Histogram& histogram = *pass_->result().first;
  EXPECT_TRUE(histogram.ranged);
  EXPECT_EQ(histogram.low, -250.5);
  EXPECT_EQ(histogram.high, 100.0);
  EXPECT_EQ(histogram.counts[3][0], 1u);
  EXPECT_EQ(histogram.counts[3][128], 1u);
  EXPECT_EQ(histogram.counts[3][254], 1u);
  EXPECT_EQ(histogram.counts[3][255], 2u);
}

TEST_F(StatisticsTest, HistogramOfFloatsSaturatesAndLeavesOutNaN) {
  HostArray picture(Shape::image(Element::f32, 1, 4, 1));
  const auto pixels = picture.image<float>();
  pixels(0, 0) = -1.0f;
  pixels(1, 0) = 0.5f;
  pixels(2, 0) = 7.0f;
  pixels(3, 0) = std::nanf("");
  const gl::Texture texture = texture_of(picture.view());
  const auto result = statistics(&texture, nullptr, 1 << 20);
  ASSERT_TRUE(result.first);
  for (const auto& counts : result.first->counts) {
    EXPECT_EQ(counts[0], 1u);
    EXPECT_EQ(counts[static_cast<std::size_t>(level(0.5))], 1u);
    EXPECT_EQ(counts[255], 1u);
  }
}

TEST_F(StatisticsTest, EqualPicturesAreEqual) {
  const HostArray picture = random_picture(gl::Format::rgba8, 65, 40, 1);
  const gl::Texture a = texture_of(picture.view()), b = texture_of(picture.view());
  const auto result = statistics(&a, &b, 1 << 20);
  ASSERT_TRUE(result.similarity);
  EXPECT_EQ(result.similarity->mean_squared_error, 0.0);
  EXPECT_TRUE(std::isinf(result.similarity->psnr()));
  ASSERT_TRUE(result.similarity->ssim);
  EXPECT_NEAR(*result.similarity->ssim, 1.0, 1e-5);  // float arithmetic in the shader
}

TEST_F(StatisticsTest, AConstantOffsetHasTheErrorThatItMust) {
  HostArray a(Shape::image(Element::u8, 1, 50, 30)), b(a.shape());
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 50; ++x) {
      a.image<std::uint8_t>()(x, y) = 100;
      b.image<std::uint8_t>()(x, y) = 110;
    }
  const gl::Texture first = texture_of(a.view()), second = texture_of(b.view());
  const auto result = statistics(&first, &second, 1);
  ASSERT_TRUE(result.similarity);
  EXPECT_NEAR(result.similarity->mean_squared_error, std::pow(10 / 255.0, 2), 1e-7);
  EXPECT_NEAR(result.similarity->psnr(), 20 * std::log10(25.5), 1e-3);
  // Without variance the similarity is the first factor of the formula.
  const double p = 100 / 255.0, q = 110 / 255.0, c = 1e-4;
  ASSERT_TRUE(result.similarity->ssim);
  EXPECT_NEAR(*result.similarity->ssim, (2 * p * q + c) / (p * p + q * q + c), 1e-3);
}

// The expected values are those of scikit-image for the same two pictures (scripts/reference/similarity.py). The shader
// computes in 32-bit floats.
TEST_F(StatisticsTest, AgreesWithScikitImage) {
  HostArray a(Shape::image(Element::u8, 1, 64, 48)), b(a.shape());
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      const int base = (x * 37 + y * 91 + x * y) % 256;
      a.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(base);
      b.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>((base * 3 + (x * 13 + y * 7) % 64 * 4) / 4);
    }
  const gl::Texture first = texture_of(a.view()), second = texture_of(b.view());
  const auto result = statistics(&first, &second, 700);
  ASSERT_TRUE(result.similarity && result.similarity->ssim);
  EXPECT_NEAR(*result.similarity->ssim, 0.924147, 2e-5);
  EXPECT_NEAR(result.similarity->psnr(), 19.8524, 1e-3);
}

TEST_F(StatisticsTest, DifferentSizesAreNotCompared) {
  const HostArray small = random_picture(gl::Format::r8, 20, 20, 1), large = random_picture(gl::Format::r8, 21, 20, 1);
  const gl::Texture a = texture_of(small.view()), b = texture_of(large.view());
  const auto result = statistics(&a, &b, 1 << 20);
  EXPECT_TRUE(result.first && result.second);
  EXPECT_FALSE(result.similarity);
}

TEST_F(StatisticsTest, TooSmallForAWindowHasNoSimilarity) {
  const HostArray picture = random_picture(gl::Format::r8, 10, 40, 1);
  const gl::Texture a = texture_of(picture.view());
  const auto result = statistics(&a, &a, 1 << 20);
  ASSERT_TRUE(result.similarity);
  EXPECT_FALSE(result.similarity->ssim);
}

// The window frees the memory of a result, and allocates that of the next one, while the pass counts.
TEST_F(StatisticsTest, ATextureThatIsFreedMeanwhileCountsAsNone) {
  const HostArray tall = random_picture(gl::Format::r8, 40, 400, 1), flat = random_picture(gl::Format::r8, 90, 30, 2);
  const gl::Texture input = texture_of(flat.view());
  for (const int steps : {0, 1, 2, 20, 26}) {
    gl::Texture output = texture_of(tall.view());
    pass_->begin(&input, &output);
    for (int i = 0; i < steps; ++i)
      pass_->step(1);
    output = gl::Texture();
    while (!pass_->done())
      pass_->step(1);
    EXPECT_TRUE(pass_->result().first) << steps;
    EXPECT_FALSE(pass_->result().second) << steps;

    pass_->begin(&input, &output);
    pass_->step(1);
    output = texture_of(flat.view());
    while (!pass_->done())
      pass_->step(1);
    ASSERT_TRUE(pass_->result().second) << steps;
    EXPECT_EQ(pass_->result().second->counts[0], statistics(nullptr, &output, 1 << 20).second->counts[0]) << steps;
  }
}

}  // namespace
}  // namespace threadscape
