// Types of numbers in TIFF files, made here byte by byte: one strip of one row, little endian.

#include <cmath>
#include <utility>

#include "compute/io/pictures/image_format.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

enum SampleFormat { unsigned_numbers = 1, signed_numbers = 2, floats = 3, undefined = 4 };

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int b = 0; b < bytes; ++b)
    text.push_back(static_cast<char>(value >> 8 * b & 0xFF));
  return text;
}

template <class T>
std::string row_of(std::initializer_list<T> values) {
  std::string text;
  for (const T value : values)
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

/// What a file states beside the size and the type of its numbers. What is 0 or empty is not stated.
struct Tags {
  int samples = 0;      ///< Samples of a pixel; 0 = three of RGB or one.
  int photometric = 0;  ///< 0 = RGB or grey.
  int compression = 1, extra_sample = 0, strip_bytes = 0;
  bool states_extra_sample = false;
  std::string palette = {};
};

/// A picture of one row. RGB has three samples of as many bits in each pixel.
std::string tiff(int width, int bits, SampleFormat format, bool rgb, const std::string& pixels, const Tags& tags = {}) {
  const int samples = tags.samples > 0 ? tags.samples : rgb ? 3 : 1;
  std::string bits_of_samples;
  for (int i = 0; i < samples && samples > 2; ++i)
    bits_of_samples += little_endian(static_cast<std::uint64_t>(bits), 2);
  const std::size_t pixels_at = 8, bits_at = (pixels_at + pixels.size() + 1) / 2 * 2,
                    palette_at = bits_at + bits_of_samples.size(), directory_at = palette_at + tags.palette.size();
  std::string entries;
  int count = 0;
  const auto entry = [&](int tag, int type, std::uint64_t number, std::uint64_t value) {
    entries += little_endian(static_cast<std::uint64_t>(tag), 2) + little_endian(static_cast<std::uint64_t>(type), 2) +
               little_endian(number, 4) + little_endian(value, 4);
    ++count;
  };
  constexpr int short_type = 3, long_type = 4;
  const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
  entry(256, long_type, 1, number(width));
  entry(257, long_type, 1, 1);
  entry(258, short_type, number(samples), samples > 2 ? bits_at : number(bits | (samples - 1) * (bits << 16)));
  entry(259, short_type, 1, number(tags.compression));
  entry(262, short_type, 1, tags.photometric > 0 ? number(tags.photometric) : rgb ? 2 : 1);
  entry(273, long_type, 1, pixels_at);
  entry(277, short_type, 1, number(samples));
  entry(278, long_type, 1, 1);
  entry(279, long_type, 1, tags.strip_bytes > 0 ? number(tags.strip_bytes) : pixels.size());
  if (!tags.palette.empty()) entry(320, short_type, tags.palette.size() / 2, palette_at);
  if (tags.states_extra_sample) entry(338, short_type, 1, number(tags.extra_sample));
  if (!rgb) entry(339, short_type, 1, format);
  std::string file = std::string("II*\0", 4) + little_endian(directory_at, 4) + pixels;
  file.resize(bits_at);
  return file + bits_of_samples + tags.palette + little_endian(number(count), 2) + entries + little_endian(0, 4);
}

class TiffFiles : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    if (!TS_HAS_TIFF) GTEST_SKIP() << "this build has no libtiff";
  }
  /// The type of the picture in the file, and the values of its row.
  std::pair<Element, std::vector<double>> read(const std::string& bytes) const {
    write_bytes(path("a.tif"), bytes);
    const HostArray picture = io::load_picture(path("a.tif")).pixels;
    std::vector<double> values;
    for (int x = 0; x < static_cast<int>(picture.shape().width * picture.shape().channels); ++x)
      values.push_back(picture.shape().element == Element::u8 ? reinterpret_cast<const std::uint8_t*>(picture.data())[x]
                       : picture.shape().element == Element::u16
                           ? reinterpret_cast<const std::uint16_t*>(picture.data())[x]
                           : reinterpret_cast<const float*>(picture.data())[x]);
    return {picture.shape().element, values};
  }
};

using Row = std::pair<Element, std::vector<double>>;

std::string note_of(const std::filesystem::path& path) {
  return io::load_picture(path).note;
}

TEST_F(TiffFiles, IntegersKeepTheirNumbers) {
  EXPECT_EQ(read(tiff(2, 8, undefined, false, "\x07\xF0")), (Row{Element::u8, {7, 240}}));
  EXPECT_EQ(read(tiff(2, 8, signed_numbers, false, row_of<std::int8_t>({-5, 100}))), (Row{Element::f32, {-5, 100}}));
  EXPECT_EQ(read(tiff(2, 16, signed_numbers, false, row_of<std::int16_t>({-1024, 3000}))),
            (Row{Element::f32, {-1024, 3000}}));
  EXPECT_EQ(read(tiff(2, 32, signed_numbers, false, row_of<std::int32_t>({-100000, 7}))),
            (Row{Element::f32, {-100000, 7}}));
  EXPECT_EQ(read(tiff(2, 32, unsigned_numbers, false, row_of<std::uint32_t>({16777216, 7}))),
            (Row{Element::f32, {16777216, 7}}));
}

TEST_F(TiffFiles, HalfFloatsAreNumbers) {
  EXPECT_EQ(read(tiff(4, 16, floats, false, row_of<std::uint16_t>({0x3C00, 0xC000, 0x0001, 0x7BFF}))),
            (Row{Element::f32, {1, -2, std::ldexp(1.0, -24), 65504}}));
}

TEST_F(TiffFiles, SamplesMayShareBytes) {
  // 0xABC, 0x123 and 0xFFF in 12 bits each, and a filling nibble.
  EXPECT_EQ(read(tiff(3, 12, unsigned_numbers, false, std::string("\xAB\xC1\x23\xFF\xF0", 5))),
            (Row{Element::u16, {0xABC, 0x123, 0xFFF}}));
  EXPECT_EQ(read(tiff(2, 10, unsigned_numbers, false, std::string("\xFF\xC0\x10", 3))), (Row{Element::u16, {1023, 1}}));
  EXPECT_EQ(read(tiff(1, 14, unsigned_numbers, false, std::string("\xFF\xFC", 2))), (Row{Element::u16, {16383}}));
  // Colours of 4 and 2 bits are widened to bytes: 15 and 3 are 255.
  EXPECT_EQ(read(tiff(2, 4, unsigned_numbers, true, std::string("\xF0\x80\x0F", 3))),
            (Row{Element::u8, {255, 0, 136, 255, 0, 0, 255, 255}}));
  EXPECT_EQ(read(tiff(1, 2, unsigned_numbers, true, std::string("\xD8", 1))), (Row{Element::u8, {255, 85, 170, 255}}));
}

TEST_F(TiffFiles, NumbersMayHaveAnyBitsUpTo16And64) {
  EXPECT_EQ(read(tiff(2, 9, unsigned_numbers, false, std::string("\xFF\x80\x40", 3))), (Row{Element::u16, {511, 1}}));
  EXPECT_EQ(read(tiff(2, 15, unsigned_numbers, false, std::string("\xFF\xFE\x00\x04", 4))),
            (Row{Element::u16, {32767, 1}}));
  EXPECT_EQ(read(tiff(4, 1, unsigned_numbers, false, "\xA0")), (Row{Element::u8, {255, 0, 255, 0}}));
  EXPECT_EQ(read(tiff(2, 3, unsigned_numbers, false, "\x38")), (Row{Element::u8, {36, 218}}));
  EXPECT_EQ(read(tiff(1, 64, signed_numbers, false, row_of<std::int64_t>({-70000}))), (Row{Element::f32, {-70000}}));
  EXPECT_EQ(read(tiff(1, 64, unsigned_numbers, false, row_of<std::uint64_t>({1u << 20}))),
            (Row{Element::f32, {1 << 20}}));
  // Where white is 0, the greatest number of the bits is black.
  constexpr int white_is_zero = 0x10000;  // The tag has 16 bits, so that the number is 0.
  EXPECT_EQ(read(tiff(2, 12, unsigned_numbers, false, std::string("\xFF\xF0\x01", 3), {.photometric = white_is_zero})),
            (Row{Element::u16, {0, 4094}}));
}

TEST_F(TiffFiles, PalettesMayHave16BitIndices) {
  std::vector<std::uint16_t> colours(std::size_t{3} << 16, 0);
  colours[300] = 0xFF00;
  colours[65536 + 300] = 0x8000;
  colours[2 * 65536 + 7] = 0x1234;
  const std::string palette(reinterpret_cast<const char*>(colours.data()), 2 * colours.size());
  EXPECT_EQ(read(tiff(2, 16, unsigned_numbers, false, row_of<std::uint16_t>({300, 7}),
                      {.photometric = 3, .palette = palette})),
            (Row{Element::u8, {255, 128, 0, 255, 0, 0, 0x12, 255}}));
}

TEST_F(TiffFiles, LabBecomesTheColoursOfScreens) {
  // White, a grey, and the colours whose Little CMS 2.14 makes (66, 44, 163) and (153, 0, 0) without its tables.
  const std::string pixels("\xFF\x00\x00\x80\x00\x00\x50\x2C\xC2\x50\x39\x31", 12);
  EXPECT_EQ(read(tiff(2, 8, undefined, true, pixels.substr(0, 6), {.photometric = 8})),
            (Row{Element::u8, {255, 255, 255, 255, 119, 119, 119, 255}}));
  const std::string moved("\xFF\x80\x80\x80\x80\x80", 6);
  EXPECT_EQ(read(tiff(2, 8, undefined, true, moved, {.photometric = 9})),
            (Row{Element::u8, {255, 255, 255, 255, 119, 119, 119, 255}}));
}

TEST_F(TiffFiles, WhatIsLeftOutOrGuessedIsSaid) {
  // A fourth value that is stated to be nothing known, and one of which nothing is stated.
  EXPECT_EQ(read(tiff(1, 8, undefined, true, "\x01\x02\x03\x04", {.samples = 4, .states_extra_sample = true})),
            (Row{Element::u8, {1, 2, 3, 255}}));
  EXPECT_NE(note_of(path("a.tif")).find("only 3 of the 4 values"), std::string::npos) << note_of(path("a.tif"));
  EXPECT_EQ(read(tiff(1, 8, undefined, true, "\x01\x02\x03\x04", {.samples = 4})), (Row{Element::u8, {1, 2, 3, 4}}));
  EXPECT_NE(note_of(path("a.tif")).find("taken for alpha"), std::string::npos) << note_of(path("a.tif"));
}

TEST_F(TiffFiles, RefusalsNameTheCause) {
  const auto cause = [&](const std::string& bytes) -> std::string {
    write_bytes(path("a.tif"), bytes);
    try {
      (void)io::load_picture(path("a.tif"));
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(cause(tiff(2, 8, undefined, false, "\x07\xF0", {.compression = 34712})).find("by JPEG 2000"),
            std::string::npos);
  EXPECT_NE(cause(tiff(2, 0, unsigned_numbers, false, "\x07\xF0")), "accepted");
  EXPECT_NE(cause(tiff(900, 8, undefined, false, "\x07\xF0", {.strip_bytes = 900})).find("it is truncated"),
            std::string::npos);
}

}  // namespace
}  // namespace threadscape
