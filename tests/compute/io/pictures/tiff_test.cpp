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

/// A picture of one row. RGB has three samples of as many bits in each pixel.
std::string tiff(int width, int bits, SampleFormat format, bool rgb, const std::string& pixels) {
  const int samples = rgb ? 3 : 1;
  const std::string bits_of_samples = rgb ? little_endian(static_cast<std::uint64_t>(bits), 2) +
                                                little_endian(static_cast<std::uint64_t>(bits), 2) +
                                                little_endian(static_cast<std::uint64_t>(bits), 2)
                                          : "";
  const std::size_t pixels_at = 8, bits_at = (pixels_at + pixels.size() + 1) / 2 * 2,
                    directory_at = bits_at + bits_of_samples.size();
  std::string entries;
  int count = 0;
  const auto entry = [&](int tag, int type, std::uint64_t number, std::uint64_t value) {
    entries += little_endian(static_cast<std::uint64_t>(tag), 2) + little_endian(static_cast<std::uint64_t>(type), 2) +
               little_endian(number, 4) + little_endian(value, 4);
    ++count;
  };
  constexpr int short_type = 3, long_type = 4;
  entry(256, long_type, 1, static_cast<std::uint64_t>(width));
  entry(257, long_type, 1, 1);
  entry(258, short_type, static_cast<std::uint64_t>(samples), rgb ? bits_at : static_cast<std::uint64_t>(bits));
  entry(259, short_type, 1, 1);
  entry(262, short_type, 1, rgb ? 2 : 1);
  entry(273, long_type, 1, pixels_at);
  entry(277, short_type, 1, static_cast<std::uint64_t>(samples));
  entry(278, long_type, 1, 1);
  entry(279, long_type, 1, pixels.size());
  if (!rgb) entry(339, short_type, 1, format);
  std::string file = std::string("II*\0", 4) + little_endian(directory_at, 4) + pixels;
  file.resize(bits_at);
  return file + bits_of_samples + little_endian(static_cast<std::uint64_t>(count), 2) + entries + little_endian(0, 4);
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

}  // namespace
}  // namespace threadscape
