// Tests of bars: the pixels of a few known values, the columns of many values against minima and maxima found on the
// host, places and ranges.

#include "render/passes/bars_pass.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "render/capture.h"
#include "render/gl/resource.h"
#include "render/interop/value_probe.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using render::BarsSettings;
using render::SequenceRange;

template <class T>
HostArray sequence(const std::vector<T>& values, std::int64_t rows = 1) {
  HostArray array(
      {Kind::sequence, PixelTraits<T>::element, 1, static_cast<std::int64_t>(values.size()) / rows, rows, 1});
  std::memcpy(array.data(), values.data(), values.size() * sizeof(T));
  return array;
}

template <class T>
render::SequenceKey key_of(T value) {
  return render::sequence_key(reinterpret_cast<const std::byte*>(&value), PixelTraits<T>::element);
}

/// A sequence on the GPU, its summary, and pictures of it in plain colours.
class BarsPassTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped()) pass_ = std::make_unique<render::BarsPass>(library_);
  }
  void hold(const HostArray& values) {
    resource_ = gl::Resource(values.shape());
    resource_.write(values.view());
    pass_->summarise(summary_, *resource_.buffer(), values.shape());
    summary_.wait();
    settings_ = {};
    settings_.end = static_cast<double>(values.shape().width);
    settings_.range = *summary_.range();
    settings_.colour = render::BarColour::plain;
    settings_.plain = {0, 0, 1, 1};
    settings_.background = {0, 0, 0, 1};
    settings_.mark = {1, 0, 0, 1};
  }
  HostArray picture(int width, int height) {
    const gl::Framebuffer target(width, height);
    target.bind();
    target.clear({0, 1, 0, 1});
    pass_->draw(summary_, settings_, {0, 0}, {width, height}, height);
    return render::capture(target);
  }
  /// Number of consecutive pixels of full colour from the bottom of a column.
  static int solid_height(const HostArray& picture, int column) {
    const auto pixels = picture.image<Rgba8>();
    int height = 0;
    while (height < pixels.height && pixels(column, pixels.height - 1 - height).b == 255)
      ++height;
    return height;
  }
  /// Number of pixels that are not background.
  static int full_height(const HostArray& picture, int column) {
    const auto pixels = picture.image<Rgba8>();
    int height = 0;
    while (height < pixels.height && pixels(column, pixels.height - 1 - height).b > 0)
      ++height;
    return height;
  }

  gl::ShaderLibrary library_;
  std::unique_ptr<render::BarsPass> pass_;
  gl::Resource resource_;
  render::SequenceSummary summary_;
  BarsSettings settings_;
};

/// Height of a value in pixels, as in shaders/bars.frag.
int expected_height(double value, double low, double high, int pixels) {
  const double share = high > low ? (value - low) / (high - low) : 0.5;
  return static_cast<int>(std::lround((0.02 + 0.98 * share) * pixels));
}

template <class T>
class BarsOfType : public BarsPassTest {};
using Types = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(BarsOfType, Types);

TYPED_TEST(BarsOfType, EveryValueIsABar) {
  const std::vector<TypeParam> values{0, 3, 1, 7, 5, 2, 6, 4};
  this->hold(sequence(values));
  const HostArray picture = this->picture(8 * 10, 200);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int x = 0; x < 9; ++x)
      EXPECT_NEAR(this->solid_height(picture, static_cast<int>(i) * 10 + x),
                  expected_height(static_cast<double>(values[i]), 0, 7, 200), 1)
          << "bar " << i << " column " << x;
  EXPECT_EQ(this->full_height(picture, 9), 0) << "the gap behind the first bar";
}

TYPED_TEST(BarsOfType, KeysAreInTheOrderOfTheValues) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> rising{Limits::lowest(), static_cast<TypeParam>(Limits::lowest() / 2), TypeParam{0},
                                      TypeParam{1},     static_cast<TypeParam>(Limits::max() / 2),    Limits::max()};
  for (std::size_t i = 1; i < rising.size(); ++i)
    EXPECT_LE(key_of(rising[i - 1]), key_of(rising[i]));
  for (const TypeParam value : rising)
    EXPECT_EQ(render::sequence_value(key_of(value), PixelTraits<TypeParam>::element), static_cast<double>(value));
}

TYPED_TEST(BarsOfType, RangeIsThatOfAllValues) {
  for (const std::size_t count : {1u, 255u, 256u, 257u, 65537u, 100000u}) {
    std::mt19937_64 random(count);
    std::vector<TypeParam> values(count);
    for (TypeParam& value : values)
      value = static_cast<TypeParam>(static_cast<std::int64_t>(random() % 2000001) -
                                     (std::is_unsigned_v<TypeParam> ? 0 : 1000000));
    this->hold(sequence(values));
    const auto [low, high] = std::ranges::minmax_element(values);
    EXPECT_EQ(*this->summary_.range(), (SequenceRange{key_of(*low), key_of(*high)})) << count;
  }
}

TYPED_TEST(BarsOfType, TheFirstPlaceIsFound) {
  std::vector<TypeParam> values(3000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<TypeParam>((i * 7919) % 1500);
  this->hold(sequence(values));
  for (const int wanted : {0, 1, 777, 1499}) {
    const auto first = std::ranges::find(values, static_cast<TypeParam>(wanted)) - values.begin();
    EXPECT_EQ(this->pass_->find(this->summary_, key_of(static_cast<TypeParam>(wanted))), first);
  }
  EXPECT_FALSE(this->pass_->find(this->summary_, key_of(static_cast<TypeParam>(1500))));
}

/// Compares the lowest and the highest pixel of each column with the values in it, at several zooms, with buffers bound
/// as a whole and in parts.
class BarsInParts : public BarsPassTest, public ::testing::WithParamInterface<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(Bytes, BarsInParts, ::testing::Values(std::int64_t{1} << 30, 40000, 300000));

TEST_P(BarsInParts, ColumnsShowLeastAndLargest) {
  pass_ = std::make_unique<render::BarsPass>(library_, GetParam());
  std::mt19937 random(5);
  std::vector<std::int32_t> values(200000);
  for (std::int32_t& value : values)
    value = static_cast<std::int32_t>(random() % 100000);
  values[3] = 0;
  values[4] = 99999;
  hold(sequence(values));
  EXPECT_EQ(*summary_.range(), (SequenceRange{key_of(0), key_of(99999)}));
  const std::int32_t last = values.back();
  EXPECT_EQ(pass_->find(summary_, key_of(last)), std::ranges::find(values, last) - values.begin());
  constexpr int width = 173, height = 400;
  for (const auto& [first, end] : {std::pair{0.0, 200000.0}, {777.25, 90000.5}, {1000.0, 1400.0}, {-500.0, 1000.0}}) {
    settings_.first = first;
    settings_.end = end;
    const HostArray picture = this->picture(width, height);
    for (int c = 0; c < width; ++c) {
      const double left = first + (end - first) * c / width, right = first + (end - first) * (c + 1) / width;
      const auto from = static_cast<std::int64_t>(std::ceil(left)), to = static_cast<std::int64_t>(std::ceil(right));
      if (from < 0) continue;
      const auto [low, high] = std::minmax_element(values.begin() + from, values.begin() + to);
      EXPECT_NEAR(solid_height(picture, c), expected_height(*low, 0, 99999, height), 1) << first << " column " << c;
      EXPECT_NEAR(full_height(picture, c), expected_height(*high, 0, 99999, height), 1) << first << " column " << c;
    }
  }
}

TEST_F(BarsPassTest, BarsFromZeroHangBelowIt) {
  hold(sequence<std::int32_t>({-50, 50}));
  settings_.from_zero = true;
  const HostArray picture = this->picture(2, 100);
  const auto pixels = picture.image<Rgba8>();
  EXPECT_EQ(pixels(0, 20).b, 0);    // above zero: nothing of the negative one
  EXPECT_EQ(pixels(0, 70).b, 255);  // below zero
  EXPECT_EQ(pixels(1, 20).b, 255);
  EXPECT_EQ(pixels(1, 70).b, 0);
}

TEST_F(BarsPassTest, MarkedBarStandsOut) {
  hold(sequence<float>({1, 2, 3, 4}));
  settings_.marked = 2;
  const HostArray picture = this->picture(40, 10);
  const auto pixels = picture.image<Rgba8>();
  for (int x = 0; x < 40; ++x)
    if (x % 10 != 9) {
      EXPECT_EQ(pixels(x, 9).r, x / 10 == 2 ? 255 : 0) << x;
    }
}

TEST_F(BarsPassTest, ValuesThatAreNoNumberDoNotHideTheRange) {
  hold(sequence<float>({1.0f, std::nanf(""), -2.0f, std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(*summary_.range(), (SequenceRange{key_of(-2.0f), key_of(1.0f)}));
  const HostArray picture = this->picture(4, 8);
  const auto pixels = picture.image<Rgba8>();
  EXPECT_EQ(pixels(1, 0).r, 255);
  EXPECT_EQ(pixels(1, 0).b, 255);
  EXPECT_EQ(pixels(2, 0).b, 0);
}

TEST_F(BarsPassTest, StripsAreColouredByTheSecondRow) {
  // All keys are equal, and the places are in descending order.
  std::vector<std::uint32_t> values(128, 9);
  for (std::uint32_t i = 0; i < 64; ++i)
    values[64 + i] = 63 - i;
  hold(sequence(values, 2));
  settings_.strip = true;
  settings_.colour = render::BarColour::place;
  settings_.map = render::ColourMap::grey;
  const HostArray picture = this->picture(64, 2);
  const auto pixels = picture.image<Rgba8>();
  for (int x = 0; x < 64; ++x)
    EXPECT_NEAR(pixels(x, 0).r, (63.5 - x) / 64 * 255, 1.0);
}

TEST_F(BarsPassTest, NothingIsDrawnOutsideOfTheRectangleNorBesideTheValues) {
  hold(sequence<std::int32_t>({5, 5}));
  settings_.first = -1.0;
  settings_.end = 3.0;
  const gl::Framebuffer target(30, 20);
  target.bind();
  target.clear({0, 1, 0, 1});
  pass_->draw(summary_, settings_, {4, 2}, {20, 10}, 20);
  const HostArray picture = render::capture(target);
  const auto pixels = picture.image<Rgba8>();
  EXPECT_EQ(pixels(3, 5).g, 255);
  EXPECT_EQ(pixels(24, 5).g, 255);
  EXPECT_EQ(pixels(10, 1).g, 255);
  EXPECT_EQ(pixels(10, 12).g, 255);
  EXPECT_EQ(pixels(5, 11).b, 0);     // before the first value
  EXPECT_EQ(pixels(10, 11).b, 255);  // the first
}

TEST_F(BarsPassTest, ProbeReadsTheExactBytes) {
  const std::vector<double> values{1.0, -0x1.fffffffffffffp+9, 0x1p-1074};
  hold(sequence(values));
  interop::ValueProbe probe;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(probe.request(*resource_.buffer(), i * sizeof(double), sizeof(double)));
    std::optional<interop::ValueProbe::Bytes> bytes;
    while (!(bytes = probe.poll()))
      glFinish();
    EXPECT_EQ(std::memcmp(bytes->data(), &values[i], sizeof(double)), 0);
    EXPECT_FALSE(probe.pending());
  }
  EXPECT_FALSE(probe.request(*resource_.buffer(), 20, 8));
  EXPECT_FALSE(probe.request(*resource_.buffer(), ~std::size_t{0}, 8));
}

TEST_F(BarsPassTest, BadShapesAreRefused) {
  const gl::Buffer buffer(gl::BufferUse::device, 64);
  EXPECT_THROW(pass_->summarise(summary_, buffer, Shape::image(Element::u8, 4, 4, 4)), UsageError);
  EXPECT_THROW(pass_->summarise(summary_, buffer, {Kind::sequence, Element::u16, 1, 4, 1, 1}), UsageError);
}

TEST(ColumnRanges, EveryValueBelongsToOneColumn) {
  for (const auto& [count, columns] : {std::pair{1000, 7}, {4096, 4096}, {100001, 640}}) {
    const auto ranges = render::column_ranges(0.0, count, columns, count);
    std::uint32_t next = 0;
    for (const auto& range : ranges) {
      EXPECT_EQ(range.x, next);
      EXPECT_GT(range.y, range.x);
      next = range.y;
    }
    EXPECT_EQ(next, static_cast<std::uint32_t>(count));
  }
}

}  // namespace
}  // namespace threadscape
