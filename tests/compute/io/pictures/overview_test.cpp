// Overviews of large pictures, and the shares that are told while these are decoded.

#include <cstring>
#include <optional>

#include "compute/core/convert.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/pictures/image_format.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

constexpr int width = 4352, height = 4096;
static_assert(std::int64_t{width} * height >= io::ReadingWatch::overview_pixels);

/// A large picture that is dark on the left, and has a light right lower quarter.
HostArray large_picture(int channels) {
  HostArray pixels(Shape::image(Element::u8, channels, width, height));
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<std::uint8_t*>(pixels.data() + static_cast<std::size_t>(y) * pixels.pitch());
    std::memset(row, 40, static_cast<std::size_t>(width) * static_cast<std::size_t>(channels));
    if (y >= height / 2)
      std::memset(row + width / 2 * channels, 200,
                  static_cast<std::size_t>(width / 2) * static_cast<std::size_t>(channels));
    for (int x = 3; x < width * channels && channels == 4; x += 4)
      row[x] = 255;
  }
  return pixels;
}

class Overviews : public TestFolder {
 protected:
  /// Reads a file, and keeps what is told meanwhile.
  io::Loaded read(const std::filesystem::path& file) {
    overview_.reset();
    shares_.clear();
    return io::load_picture(file, {.watch = {.overview = [this](io::Overview found) { overview_ = std::move(found); },
                                             .progress = [this](double done) { shares_.push_back(done); }}});
  }
  /// The red or grey of the overview at a place, as shares of its width and height.
  [[nodiscard]] int level(double x, double y) const {
    const Shape& shape = overview_->pixels.shape();
    const auto row = static_cast<std::size_t>(y * static_cast<double>(shape.height));
    const auto column = static_cast<std::size_t>(x * static_cast<double>(shape.width));
    return std::to_integer<int>(
        overview_->pixels.data()[row * overview_->pixels.pitch() + column * static_cast<std::size_t>(shape.channels)]);
  }
  void expect_overview(int channels) const {
    ASSERT_TRUE(overview_);
    EXPECT_EQ(overview_->width, width);
    EXPECT_EQ(overview_->height, height);
    EXPECT_EQ(overview_->pixels.shape().channels, channels);
    EXPECT_NEAR(level(0.25, 0.25), 40, 3);
    EXPECT_NEAR(level(0.75, 0.25), 40, 3);
    EXPECT_NEAR(level(0.25, 0.75), 40, 3);
    EXPECT_NEAR(level(0.75, 0.75), 200, 3);
  }
  void expect_shares() const {
    ASSERT_GT(shares_.size(), 2u);
    EXPECT_TRUE(std::ranges::is_sorted(shares_));
    EXPECT_GE(shares_.front(), 0.0);
    EXPECT_GT(shares_.back(), 0.5);
    EXPECT_LE(shares_.back(), 1.0);
  }

  std::optional<io::Overview> overview_;
  std::vector<double> shares_;
};

TEST_F(Overviews, JpegHasAnEighthOfTheWidth) {
  for (const int channels : {1, 4}) {
    io::save_picture(path("a.jpg"), large_picture(channels).view(),
                     channels == 1 ? io::FileColour::grey : io::FileColour::rgb);
    EXPECT_EQ(read(path("a.jpg")).pixels.shape().width, width);
    expect_overview(channels);
    EXPECT_EQ(overview_->pixels.shape(), Shape::image(Element::u8, channels, width / 8, height / 8));
    expect_shares();
  }
}

TEST_F(Overviews, PngHasNoneAndTellsHowFarItIs) {
  io::save_picture(path("a.png"), large_picture(1).view(), io::FileColour::grey);
  (void)read(path("a.png"));
  EXPECT_FALSE(overview_);
  expect_shares();
}

TEST_F(Overviews, TiffInStripsHasSomeOfItsRows) {
  if (!TS_HAS_TIFF) GTEST_SKIP() << "this build has no libtiff";
  for (const int channels : {1, 4}) {
    const HostArray large = large_picture(channels);
    for (const Element element : {Element::u8, Element::u16}) {
      const HostArray written = convert_picture(large.view(), element);
      io::save_picture(path("a.tif"), written.view(), channels == 1 ? io::FileColour::grey : io::FileColour::rgb);
      const io::Loaded picture = read(path("a.tif"));
      EXPECT_EQ(std::memcmp(picture.pixels.data(), written.data(), written.pitch()), 0);
      expect_overview(channels);
      EXPECT_EQ(overview_->pixels.shape().width, width / 8);
      EXPECT_LE(overview_->pixels.shape().height, height / 8);
      expect_shares();
    }
  }
}

TEST_F(Overviews, TiffWithASmallCopyShowsThat) {
  if (!TS_HAS_TIFF) GTEST_SKIP() << "this build has no libtiff";
  io::save_picture(path("a.tif"), large_picture(1).view(), io::FileColour::grey);
  std::string file = read_bytes(path("a.tif"));
  const auto number = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int b = 0; b < bytes; ++b)
      text.push_back(static_cast<char>(value >> 8 * b & 0xFF));
    return text;
  };
  const auto value_at = [&](std::size_t at, std::size_t bytes) {
    std::size_t value = 0;
    std::memcpy(&value, file.data() + at, bytes);
    return value;
  };
  // The directory of a copy of 2 x 2 pixels becomes the next of that of the picture.
  file.resize((file.size() + 1) / 2 * 2);
  const std::size_t directory = value_at(4, 4), link = directory + 2 + value_at(directory, 2) * 12, copy = file.size();
  file.replace(link, 4, number(copy + 4, 4));
  file += std::string("\x28\x28\x28\xC8", 4);
  std::string entries;
  for (const auto& [tag, value] : std::initializer_list<std::pair<int, std::uint64_t>>{
           {254, 1}, {256, 2}, {257, 2}, {258, 8}, {259, 1}, {262, 1}, {273, copy}, {277, 1}, {278, 2}, {279, 4}})
    entries += number(static_cast<std::uint64_t>(tag), 2) + number(4, 2) + number(1, 4) + number(value, 4);
  file += number(10, 2) + entries + number(0, 4);
  write_bytes(path("a.tif"), file);

  EXPECT_EQ(read(path("a.tif")).pixels.shape().width, width);
  expect_overview(1);
  EXPECT_EQ(overview_->pixels.shape(), Shape::image(Element::u8, 1, 2, 2));
}

TEST_F(Overviews, SmallAndDamagedPicturesHaveNone) {
  io::save_picture(path("small.jpg"), HostArray(Shape::image(Element::u8, 1, 64, 64)).view(), io::FileColour::grey);
  (void)read(path("small.jpg"));
  EXPECT_FALSE(overview_);
  for (const char* const name : {"large.jpg", "large.tif"}) {
    if (!TS_HAS_TIFF && std::string_view(name).ends_with("tif")) continue;
    io::save_picture(path(name), large_picture(1).view(), io::FileColour::grey);
    std::filesystem::resize_file(path(name), std::filesystem::file_size(path(name)) / 2);
    EXPECT_THROW((void)read(path(name)), EnvironmentError) << name;
    EXPECT_FALSE(overview_) << name;
  }
}

}  // namespace
}  // namespace threadscape
