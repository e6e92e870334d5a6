// Tests that pictures which other programs have written are read as those programs read them, that what JPEG and WebP
// lose depends on the quality, and that damaged files are refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/synthetic.h"
#include "compute/io/data_file.h"
#include "compute/io/deflate.h"
#include "compute/io/numbers/npy_array.h"
#include "compute/io/pictures/image_format.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using io::FileColour;
using nlohmann::json;

const json& reference() {
  static const json cases = json::parse(read_bytes(test_dir() + "/data/pictures.json"))["cases"];
  return cases;
}

/// Returns true if this build reads files with the extension of this name.
bool is_read(const std::filesystem::path& name) {
  return io::has_picture_extension(name);
}

/// The numbers of all channels, row by row.
std::vector<double> values_of(const HostArray& pixels) {
  std::vector<double> values;
  const Shape& shape = pixels.shape();
  for (std::int64_t y = 0; y < shape.height; ++y) {
    const std::byte* row = pixels.data() + static_cast<std::size_t>(y) * pixels.pitch();
    for (std::int64_t i = 0; i < shape.width * shape.channels; ++i)
      values.push_back(shape.element == Element::u8    ? reinterpret_cast<const std::uint8_t*>(row)[i]
                       : shape.element == Element::u16 ? reinterpret_cast<const std::uint16_t*>(row)[i]
                                                       : reinterpret_cast<const float*>(row)[i]);
  }
  return values;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class PictureFiles : public TestFolder {};

TEST_F(PictureFiles, OfOtherProgramsAreReadAsThoseProgramsReadThem) {
  const json colours{{"grey", FileColour::grey},
                     {"grey_alpha", FileColour::grey_alpha},
                     {"rgb", FileColour::rgb},
                     {"rgba", FileColour::rgba}};
  int read = 0, of_other_builds = 0;
  for (const json& wanted : reference()) {
    const auto name = wanted["name"].get<std::string>();
    if (!is_read(name)) {
      ++of_other_builds;
      continue;
    }
    write_bytes(path(name), from_hex(wanted["file"].get<std::string>()));
    io::Loaded picture;
    ASSERT_NO_THROW(picture = io::load_picture(path(name))) << name;
    EXPECT_EQ(static_cast<int>(picture.colour), colours.at(wanted["colour"].get<std::string>()).get<int>()) << name;
    const Shape& shape = picture.pixels.shape();
    EXPECT_EQ(name_of(shape.element), wanted["element"].get<std::string>()) << name;
    EXPECT_EQ(shape.width, wanted["width"].get<std::int64_t>()) << name;
    EXPECT_EQ(shape.height, wanted["height"].get<std::int64_t>()) << name;
    // The reference states 0 for formats without losses; scripts/reference/pictures.py says why others have one.
    EXPECT_LE(largest_difference(values_of(picture.pixels), wanted["values"].get<std::vector<double>>()),
              wanted["tolerance"].get<double>())
        << name;
    EXPECT_EQ(picture.note.empty(), !wanted.contains("note")) << name << ": " << picture.note;
    EXPECT_NE(picture.note.find(wanted.value("note", "")), std::string::npos) << name << ": " << picture.note;
    ++read;
  }
  EXPECT_GE(read + of_other_builds, 40);
  EXPECT_GE(read, 10);
}

TEST_F(PictureFiles, OfAnAnimatedPngSayWhatIsRead) {
  const io::Loaded picture = io::load_picture(test_dir() + "/data/videos/animated.apng");
  EXPECT_EQ(picture.pixels.shape(), Shape::image(Element::u8, 4, 112, 64));
  EXPECT_NE(picture.note.find("it is an animation of 12 frames"), std::string::npos) << picture.note;
}

TEST_F(PictureFiles, OfOtherProgramsMayBeDamagedWithoutACrash) {
  const ScopedLimit pixels(io::Limit::pixels, 1 << 16);
  for (const json& wanted : reference()) {
    const auto name = wanted["name"].get<std::string>();
    // The orientations differ in a single byte.
    if (!is_read(name) || (name.starts_with("orientation") && !name.starts_with("orientation6"))) continue;
    const std::string good = from_hex(wanted["file"].get<std::string>());
    const auto survive = [&](const std::string& bytes) {
      write_bytes(path("bad"), bytes);
      try {
        (void)io::load_picture(path("bad"));
      } catch (const EnvironmentError&) {
        // Refused, as it should be. Formats without checksums may also be read as another picture.
      }
    };
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (at % 2 == 0 ? 0xFF : 0x08));
      survive(bad);
      survive(good.substr(0, at));
    }
  }
}

#if TS_HAS_EXR
TEST_F(PictureFiles, BlocksOfExrThatAreShortAreRefused) {
  // A line of four floats, which no compression makes smaller: the file ends with the place of the block, its line, its
  // length and 16 bytes.
  HostArray line(Shape::image(Element::f32, 1, 4, 1));
  std::memset(line.data(), 0, 16);
  line.image<float>()(1, 0) = 1.25f;
  io::save_picture(path("line.exr"), std::as_const(line).view(), io::FileColour::grey);
  const std::string whole = read_bytes(path("line.exr"));
  const auto message = [&](char compression, const std::string& block) {
    std::string file = whole.substr(0, whole.size() - 20);
    const std::string_view name("compression\0compression\0\1\0\0\0", 28);
    file.at(file.find(name) + name.size()) = compression;
    file += std::string{static_cast<char>(block.size()), 0, 0, 0} + block;
    write_bytes(path("bad.exr"), file);
    try {
      (void)io::load_picture(path("bad.exr"));
    } catch (const EnvironmentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto packed = [](std::size_t bytes) {
    const std::vector<std::byte> zipped = io::deflated(std::vector<std::byte>(bytes), 4);
    return std::string(reinterpret_cast<const char*>(zipped.data()), zipped.size());
  };
  enum : char { none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab };
  const std::string runs{15, 0}, fewer_runs{6, 0}, literals{-8, 1, 2, 3, 4, 5, 6, 7, 8, 7, 0}, cut{-16, 1, 2};
  for (const auto& [compression, block] :
       {std::pair(none, std::string(16, '\0')), {rle, runs}, {rle, literals}, {zips, packed(16)}, {zip, packed(16)}})
    EXPECT_EQ(message(compression, block), "") << int{compression};
  for (const auto& [compression, block] :
       {std::pair(none, std::string(8, '\0')), {rle, fewer_runs}, {rle, cut}, {zips, packed(8)}, {zip, packed(12)}})
    EXPECT_NE(message(compression, block), "") << int{compression};
  for (const char compression : {none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab})
    EXPECT_NE(message(compression, ""), "") << int{compression};
}
#endif

/// A smooth picture, as photos are.
HostArray photo(int channels) {
  return make_synthetic(InputPattern::photo, Shape::image(Element::u8, channels, 96, 64), 3);
}

TEST_F(PictureFiles, TruthsOfNumPyAreBlackAndWhite) {
  // NumPy takes every byte but 0 for true, so that an array of other bytes can be marked as one of truths.
  std::string array("\x93NUMPY\x01\0\x46\0", 10);
  array += "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 4), }";
  array.resize(10 + 0x46 - 1, ' ');
  array += '\n';
  array += std::string("\0\x01\x02\xff", 4);
  write_bytes(path("truths.npy"), array);
  Shape wanted = Shape::image(Element::u8, 1, 4, 1);
  const io::Loaded picture = io::load_data(path("truths.npy"), wanted, {});
  EXPECT_EQ(values_of(picture.pixels), (std::vector<double>{0, 255, 255, 255}));
}

TEST_F(PictureFiles, FormatsThatAreNotReadAreNamed) {
  const auto cause = [&](const std::string& bytes) -> std::string {
    write_bytes(path("a.png"), bytes);
    try {
      (void)io::load_picture(path("a.png"));
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(cause(std::string("\0\0\0\x20", 4) + "ftypavif").find("it is a file of AVIF, which is not read"),
            std::string::npos);
  EXPECT_NE(cause(std::string("\0\0\0\x20", 4) + "ftypisom").find("a file of MP4, whose name"), std::string::npos);
  EXPECT_NE(cause("some text").find("it is no PNG, JPEG"), std::string::npos);
}

TEST_F(PictureFiles, ADamagedProfileDoesNotHideAPicture) {
  io::save_picture(path("a.jpg"), photo(1).view(), FileColour::grey);
  std::string file = read_bytes(path("a.jpg"));
  const std::string before_size = "\xFF\xC0";  // The frame header, in front of which markers may stand.
  file.insert(file.find(before_size), std::string("\xFF\xE2\0\x12"
                                                  "ICC_PROFILE\0\x02\x01xx",
                                                  20));
  write_bytes(path("a.jpg"), file);
  const io::Loaded picture = io::load_picture(path("a.jpg"));
  EXPECT_EQ(picture.pixels.shape().width, 96);
  EXPECT_NE(picture.note.find("its colour profile is damaged and is left out"), std::string::npos) << picture.note;
}

TEST_F(PictureFiles, IntegersOfNumPyKeepTheirNumbers) {
  const auto read = [&]<class T>(const char* type, std::initializer_list<T> numbers) {
    std::string array = io::npy_header_text(type, {1, static_cast<std::int64_t>(numbers.size())});
    for (const T number : numbers)
      array.append(reinterpret_cast<const char*>(&number), sizeof number);
    write_bytes(path("numbers.npy"), array);
    const HostArray picture = io::load_picture(path("numbers.npy")).pixels;
    EXPECT_EQ(picture.shape().element, Element::f32) << type;
    return values_of(picture);
  };
  EXPECT_EQ(read("|i1", std::initializer_list<std::int8_t>{-128, 7}), (std::vector<double>{-128, 7}));
  EXPECT_EQ(read("<i2", std::initializer_list<std::int16_t>{-999, 7}), (std::vector<double>{-999, 7}));
  EXPECT_EQ(read("<u4", std::initializer_list<std::uint32_t>{70000, 7}), (std::vector<double>{70000, 7}));
  EXPECT_EQ(read("<i8", std::initializer_list<std::int64_t>{-70000, 7}), (std::vector<double>{-70000, 7}));
}

TEST_F(PictureFiles, AHigherQualityLosesLessAndTakesMoreBytes) {
  for (const std::string extension : {".jpg", ".webp"}) {
    if (!is_read("a" + extension)) continue;
    const HostArray pixels = photo(4);
    double last_error = INFINITY;
    std::uintmax_t last_bytes = 0;
    for (const int quality : {10, 60, 95}) {
      const auto file = path("a" + extension);
      io::save_picture(file, pixels.view(), FileColour::rgb, quality);
      const std::vector<double> before = values_of(pixels), after = values_of(io::load_picture(file).pixels);
      double error = 0;
      for (std::size_t i = 0; i < before.size(); ++i)
        if (i % 4 != 3) error += (before[i] - after[i]) * (before[i] - after[i]);
      EXPECT_LT(error, last_error) << extension << " with quality " << quality;
      EXPECT_GT(std::filesystem::file_size(file), last_bytes) << extension << " with quality " << quality;
      last_error = error;
      last_bytes = std::filesystem::file_size(file);
    }
  }
}

TEST_F(PictureFiles, JpegKeepsGreyLevelsClose) {
  const HostArray pixels = photo(1);
  io::save_picture(path("a.jpg"), pixels.view(), FileColour::grey, 100);
  const io::Loaded back = io::load_picture(path("a.jpg"));
  EXPECT_EQ(back.colour, FileColour::grey);
  // Quality 100 divides the coefficients by 1: what is left is their rounding.
  EXPECT_LE(largest_difference(values_of(pixels), values_of(back.pixels)), 3.0);
}

TEST_F(PictureFiles, FormatsOfBytesRefuseWiderNumbersAndNameTheOthers) {
  const HostArray wide(Shape::image(Element::u16, 1, 4, 3));
  for (const std::string name : {"a.jpg", "a.bmp", "a.webp"}) {
    if (!is_read(name)) continue;
    try {
      io::save_picture(path(name), wide.view(), FileColour::grey);
      FAIL() << name;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("holds no 16-bit pictures, which are written as .png"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(PictureFiles, HeightfieldsOfFloatsSurviveInPictureFormats) {
  HostArray heights({Kind::heightfield, Element::f32, 1, 5, 3, 1});
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      heights.image<float>()(x, y) = static_cast<float>(x) * 0.1f - static_cast<float>(y) * 1000.3f;
  for (const std::string name : {"a.tif", "a.exr", "a.npy", "a.pfm"}) {
    if (!is_read(name)) continue;
    io::save_data(path(name), heights.view(), {});
    const HostArray back = io::load_data(path(name), {.kind = Kind::heightfield}, {}).pixels;
    EXPECT_EQ(back.shape(), heights.shape()) << name;
    EXPECT_EQ(values_of(back), values_of(heights)) << name;
  }
}

}  // namespace
}  // namespace threadscape
