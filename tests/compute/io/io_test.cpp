// Tests that valid pictures of every format and colour type are written and read back.

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <utility>

#include "compute/core/convert.h"
#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "compute/kernel/philox.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

using io::FileColour;
using io::load_picture;
using io::Loaded;
using io::save_picture;

/// A picture of noise that a file of this colour type can store: opaque without alpha, equal channels if grey.
HostArray picture_of(Element element, FileColour colour, int width, int height) {
  const int channels = colour == FileColour::grey ? 1 : 4;
  HostArray array = make_synthetic(InputPattern::noise, Shape::image(element, channels, width, height), 7);
  const auto adapt = [&]<class T>(ImageView<T> view, auto full) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        T& p = view(x, y);
        if (colour == FileColour::grey_alpha) p.g = p.b = p.r;
        if (colour == FileColour::rgb) p.a = full;
      }
  };
  if (channels == 4 && element == Element::u8) adapt(array.image<Rgba8>(), std::uint8_t{255});
  if (channels == 4 && element == Element::u16) adapt(array.image<Rgba16>(), std::uint16_t{65535});
  return array;
}

class Io : public TestFolder {};

TEST_F(Io, PngThereAndBack) {
  for (const Element element : {Element::u8, Element::u16})
    for (const FileColour colour : {FileColour::grey, FileColour::grey_alpha, FileColour::rgb, FileColour::rgba})
      for (const auto& [width, height] : {std::pair{1, 1}, {7, 1}, {1, 7}, {65, 33}}) {
        const HostArray pixels = picture_of(element, colour, width, height);
        save_picture(path("a.png"), pixels.view(), colour);
        const Loaded back = load_picture(path("a.png"));
        EXPECT_EQ(back.colour, colour);
        EXPECT_TRUE(testing::same_pixels(back.pixels.view(), pixels.view())) << to_string(pixels.shape());
      }
  EXPECT_EQ(names(), std::vector<std::string>{"a.png"}) << "temporary files were left";
}

TEST_F(Io, PnmThereAndBack) {
  for (const Element element : {Element::u8, Element::u16})
    for (const FileColour colour : {FileColour::grey, FileColour::rgb}) {
      const HostArray pixels = picture_of(element, colour, 33, 5);
      const auto file = path(colour == FileColour::grey ? "a.pgm" : "a.ppm");
      save_picture(file, pixels.view(), colour);
      const Loaded back = load_picture(file);
      EXPECT_EQ(back.colour, colour);
      EXPECT_TRUE(testing::same_pixels(back.pixels.view(), pixels.view()));
    }
}

TEST_F(Io, PnmTextWithCommentsAndOddMaximum) {
  write_bytes(path("a.pgm"), "P2 # grey\n# a comment\n3 2\n4\n0 1 2\n3 4 4\n");
  const Loaded grey = load_picture(path("a.pgm"));
  const auto view = grey.pixels.image<std::uint8_t>();
  EXPECT_EQ(view(0, 0), 0);
  EXPECT_EQ(view(1, 0), 64);   // The exact value is 63.75.
  EXPECT_EQ(view(2, 0), 128);  // The exact value is 127.5, rounded up.
  EXPECT_EQ(view(1, 1), 255);

  write_bytes(path("a.ppm"), "P3\n1 1\n1000\n0 500 1000");
  const Loaded colour = load_picture(path("a.ppm"));
  EXPECT_EQ(colour.pixels.image<Rgba16>()(0, 0), (Rgba16{0, 32768, 65535, 65535}));
}

TEST_F(Io, PngOfEveryForm) {
  write_png(path("bits.png"), 4, {{0b0101'0000}, {0b1111'0000}}, {.bit_depth = 1, .colour_type = PNG_COLOR_TYPE_GRAY});
  const Loaded bits = load_picture(path("bits.png"));
  EXPECT_EQ(bits.colour, FileColour::grey);
  EXPECT_EQ(bits.pixels.image<std::uint8_t>()(1, 0), 255);
  EXPECT_EQ(bits.pixels.image<std::uint8_t>()(2, 0), 0);

  const PngForm palette{.bit_depth = 2, .colour_type = PNG_COLOR_TYPE_PALETTE, .palette = {1, 2, 3, 250, 251, 252}};
  write_png(path("palette.png"), 2, {{0b0001'0000}}, palette);
  const Loaded colours = load_picture(path("palette.png"));
  EXPECT_EQ(colours.colour, FileColour::rgb);
  EXPECT_EQ(colours.pixels.image<Rgba8>()(0, 0), (Rgba8{1, 2, 3, 255}));
  EXPECT_EQ(colours.pixels.image<Rgba8>()(1, 0), (Rgba8{250, 251, 252, 255}));

  PngForm transparent = palette;
  transparent.transparency = {17};
  write_png(path("transparent.png"), 2, {{0b0001'0000}}, transparent);
  const Loaded alpha = load_picture(path("transparent.png"));
  EXPECT_EQ(alpha.colour, FileColour::rgba);
  EXPECT_EQ(alpha.pixels.image<Rgba8>()(0, 0), (Rgba8{1, 2, 3, 17}));
  EXPECT_EQ(alpha.pixels.image<Rgba8>()(1, 0).a, 255);

  write_png(path("wide.png"), 1, {{0x12, 0x34}}, {.bit_depth = 16, .colour_type = PNG_COLOR_TYPE_GRAY});
  EXPECT_EQ(load_picture(path("wide.png")).pixels.image<std::uint16_t>()(0, 0), 0x1234);

  std::vector<std::vector<std::uint8_t>> ramp(9, std::vector<std::uint8_t>(13));
  for (std::size_t y = 0; y < 9; ++y)
    for (std::size_t x = 0; x < 13; ++x)
      ramp[y][x] = static_cast<std::uint8_t>(y * 13 + x);
  write_png(path("interlaced.png"), 13, ramp, {.interlaced = true, .palette = {}, .transparency = {}});
  const Loaded interlaced = load_picture(path("interlaced.png"));
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 13; ++x)
      ASSERT_EQ(interlaced.pixels.image<std::uint8_t>()(x, y), y * 13 + x);
}

TEST_F(Io, JpegBmpTga) {
  constexpr int width = 40, height = 24;
  std::vector<std::uint8_t> rgb(std::size_t{width} * height * 3);
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = static_cast<std::uint8_t>(i / 3 * 255 / (width * height));
  write_jpeg(path("a.jpg"), width, height, 3, rgb.data());
  write_bmp(path("a.bmp"), width, height, 3, rgb.data());
  write_tga(path("a.tga"), width, height, 3, rgb.data(), false);
  write_tga(path("rle.tga"), width, height, 3, rgb.data(), true);
  for (const char* name : {"a.bmp", "a.tga", "rle.tga"}) {
    const Loaded picture = load_picture(path(name));
    EXPECT_EQ(picture.colour, FileColour::rgb) << name;
    const auto view = picture.pixels.image<Rgba8>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::uint8_t v = rgb[static_cast<std::size_t>(y * width + x) * 3];
        ASSERT_EQ(view(x, y), (Rgba8{v, v, v, 255})) << name << " at " << x << ", " << y;
      }
  }
  const Loaded jpeg = load_picture(path("a.jpg"));
  EXPECT_EQ(jpeg.pixels.shape(), Shape::image(Element::u8, 4, width, height));
  const int middle = rgb[std::size_t{(height / 2) * width + width / 2} * 3];
  EXPECT_NEAR(jpeg.pixels.image<Rgba8>()(width / 2, height / 2).g, middle, 4);
}

TEST_F(Io, TheColourTypeOfAFileFollowsTheResult) {
  // A result with colours keeps them even if the input file was grey; a grey result is stored as grey even if the input
  // file had colours.
  const HostArray colour = picture_of(Element::u8, FileColour::rgba, 5, 5);
  save_picture(path("a.png"), colour.view(), FileColour::grey);
  EXPECT_EQ(load_picture(path("a.png")).colour, FileColour::rgb);
  save_picture(path("a.png"), colour.view(), FileColour::grey_alpha);
  EXPECT_EQ(load_picture(path("a.png")).colour, FileColour::rgba);
  const HostArray grey = picture_of(Element::u8, FileColour::grey, 5, 5);
  save_picture(path("a.png"), grey.view(), FileColour::rgba);
  EXPECT_EQ(load_picture(path("a.png")).colour, FileColour::grey);
  save_picture(path("a.ppm"), grey.view(), FileColour::grey);
  EXPECT_EQ(load_picture(path("a.ppm")).colour, FileColour::rgb);
}

TEST_F(Io, ExtensionsAreNotCaseSensitive) {
  const HostArray grey = picture_of(Element::u8, FileColour::grey, 5, 5);
  save_picture(path("A.PNG"), grey.view(), FileColour::grey);
  EXPECT_TRUE(testing::same_pixels(load_picture(path("A.PNG")).pixels.view(), grey.view()));
}

TEST(Synthetic, IsTheSameEverywhere) {
  // Rows are made by several threads, and the value of a pixel depends only on its position and the seed.
  const Shape shape = Shape::image(Element::u8, 4, 130, 70);
  EXPECT_TRUE(testing::same_pixels(make_synthetic(InputPattern::photo, shape, 3).view(),
                                   make_synthetic(InputPattern::photo, shape, 3).view()));
  EXPECT_FALSE(testing::same_pixels(make_synthetic(InputPattern::photo, shape, 3).view(),
                                    make_synthetic(InputPattern::photo, shape, 4).view()));
  const HostArray noise = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 4, 1), 0);
  // The value of a pixel is made from Philox with the counter (x, 0, 0, 31): the top 24 bits of the first word, scaled
  // to 0..255.
  const PhiloxBlock words = philox({{2, 0, 0, 31}}, 0);
  EXPECT_EQ(noise.image<std::uint8_t>()(2, 0), static_cast<int>(unit_float(words.word[0]) * 255.0 + 0.5));
}

TEST(Synthetic, Patterns) {
  const Shape shape = Shape::image(Element::u8, 1, 5, 5);
  const HostArray impulse = make_synthetic(InputPattern::impulse, shape);
  int sum = 0;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x)
      sum += impulse.image<std::uint8_t>()(x, y);
  EXPECT_EQ(sum, 255);
  EXPECT_EQ(impulse.image<std::uint8_t>()(2, 2), 255);
  const HostArray gradient = make_synthetic(InputPattern::gradient, shape);
  EXPECT_EQ(gradient.image<std::uint8_t>()(0, 0), 0);
  EXPECT_EQ(gradient.image<std::uint8_t>()(4, 4), 255);
  EXPECT_EQ(make_synthetic(InputPattern::constant, shape).image<std::uint8_t>()(1, 3), 85);
  EXPECT_TRUE(make_synthetic(InputPattern::noise, Shape{}).empty());
  EXPECT_THROW((void)parse_input_pattern("stripes"), UsageError);
  EXPECT_EQ(parse_input_pattern("photo"), InputPattern::photo);
}

TEST(Synthetic, PhotoIsSmootherThanNoise) {
  const auto roughness = [](InputPattern pattern) {
    const HostArray array = make_synthetic(pattern, Shape::image(Element::u8, 1, 256, 64), 1);
    const auto view = array.image<std::uint8_t>();
    double sum = 0.0;
    for (int y = 0; y < view.height; ++y)
      for (int x = 1; x < view.width; ++x)
        sum += std::abs(view(x, y) - view(x - 1, y));
    return sum;
  };
  EXPECT_LT(roughness(InputPattern::photo), roughness(InputPattern::noise) / 3.0);
}

TEST_F(Io, PfmThereAndBack) {
  for (const FileColour colour : {FileColour::grey, FileColour::rgb})
    for (const auto& [width, height] : {std::pair{1, 1}, {7, 1}, {1, 7}, {65, 33}}) {
      HostArray pixels = picture_of(Element::f32, colour, width, height);
      if (colour == FileColour::rgb)
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            pixels.image<Rgba32f>()(x, y).a = 1.0f;
      save_picture(path("a.pfm"), pixels.view(), colour);
      const Loaded back = load_picture(path("a.pfm"));
      EXPECT_EQ(back.colour, colour);
      EXPECT_TRUE(testing::same_pixels(back.pixels.view(), pixels.view())) << to_string(pixels.shape());
    }
}

// The description of PFM says: the bottom row is first, and a positive scale means big endian.
TEST_F(Io, PfmBytesAreRead) {
  const unsigned char values[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0xc0, 0x40, 0, 0, 0, 0, 0, 0};
  std::string bytes = "Pf\n2 2\n1.0\n";
  bytes.append(reinterpret_cast<const char*>(values), sizeof values);
  write_bytes(path("big.pfm"), bytes);
  const Loaded picture = load_picture(path("big.pfm"));
  const auto pixels = picture.pixels.image<float>();
  EXPECT_EQ(pixels(0, 1), 1.0f);
  EXPECT_EQ(pixels(1, 1), 2.0f);
  EXPECT_EQ(pixels(0, 0), -3.0f);
  EXPECT_EQ(pixels(1, 0), 0.0f);
}

TEST_F(Io, BadPfmIsRefused) {
  for (const char* bytes : {"Pf\n2 2\n-1.0\n1234", "Pf\n2 2\n0\n1234567890123456", "Pf\n2 x\n-1\n1234567890123456",
                            "PF\n-2 2\n-1\n1234567890123456", "Pf\n2 2\nnan\n1234567890123456", "Pf\n2", "PF "}) {
    write_bytes(path("bad.pfm"), bytes);
    EXPECT_THROW((void)load_picture(path("bad.pfm")), EnvironmentError) << bytes;
  }
  HostArray bytes(Shape::image(Element::u8, 1, 2, 2)), floats(Shape::image(Element::f32, 1, 2, 2));
  EXPECT_THROW(save_picture(path("a.pfm"), bytes.view(), FileColour::grey), UsageError);
  EXPECT_THROW(save_picture(path("a.png"), floats.view(), FileColour::grey), UsageError);
}

TEST_F(Io, ConversionKeepsWhiteAndRoundsOnce) {
  HostArray bytes(Shape::image(Element::u8, 1, 256, 1));
  for (int x = 0; x < 256; ++x)
    bytes.image<std::uint8_t>()(x, 0) = static_cast<std::uint8_t>(x);
  const HostArray words = convert_picture(bytes.view(), Element::u16),
                  floats = convert_picture(bytes.view(), Element::f32);
  for (int x = 0; x < 256; ++x) {
    EXPECT_EQ(words.image<std::uint16_t>()(x, 0), 257 * x);
    EXPECT_EQ(floats.image<float>()(x, 0), static_cast<float>(x / 255.0));
  }
  EXPECT_TRUE(testing::same_pixels(convert_picture(words.view(), Element::u8).view(), bytes.view()));
  EXPECT_TRUE(testing::same_pixels(convert_picture(floats.view(), Element::u8).view(), bytes.view()));
  HostArray odd(Shape::image(Element::f32, 1, 4, 1));
  const float values[] = {-1.0f, 2.0f, std::nanf(""), 0.5f};
  std::copy(values, values + 4, odd.image<float>().row(0));
  const HostArray back = convert_picture(odd.view(), Element::u8);
  const auto row = back.image<std::uint8_t>();
  EXPECT_EQ(row(0, 0), 0);
  EXPECT_EQ(row(1, 0), 255);
  EXPECT_EQ(row(2, 0), 0);
  EXPECT_EQ(row(3, 0), 128);  // The exact value is 127.5; halves are rounded up.
}

}  // namespace
}  // namespace threadscape
