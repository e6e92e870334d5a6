// Tests of the table of picture formats. Lists of extensions, the choice of a decoder and error messages come from its
// rows.

#include "compute/io/pictures/image_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "compute/core/synthetic.h"
#include "compute/io/data_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

using io::Bytes;
using io::FileColour;
using io::FormatUse;
using io::ImageFormat;

class ImageFormats : public TestFolder {};

Bytes bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// The message of the UsageError that `f` throws; "" if it throws none.
template <class F>
std::string usage_error(const F& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// A format that exists in this test only: the text "TOY!" and one byte, the grey level of a single pixel.
ImageFormat toy_format() {
  static constexpr std::array<std::string_view, 2> extensions{".toy", ".toy2"};
  return {.name = "TOY",
          .extensions = extensions,
          .sniff = [](Bytes file) { return file.size() >= 4 && std::memcmp(file.data(), "TOY!", 4) == 0; },
          .decode =
              [](Bytes file, const io::ReadingWatch&) {
                io::check_header(1, 1, 1);
                if (file.size() < 5) throw io::DecodeFailure{"it is truncated"};
                io::Loaded picture{HostArray(Shape::image(Element::u8, 1, 1, 1)), FileColour::grey};
                picture.pixels.image<std::uint8_t>()(0, 0) = std::to_integer<std::uint8_t>(file[4]);
                return picture;
              },
          .encode =
              [](io::FileWriter& file, HostIn pixels, const io::EncodeOptions&) {
                file.write("TOY!");
                file.write(pixels.data, 1);
              }};
}

std::vector<ImageFormat> with_toy() {
  const auto formats = io::image_formats();
  std::vector<ImageFormat> all(formats.begin(), formats.end());
  all.push_back(toy_format());
  return all;
}

TEST_F(ImageFormats, RowsAreComplete) {
  std::set<std::string_view> names, extensions;
  for (const ImageFormat& format : io::image_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    ASSERT_FALSE(format.extensions.empty()) << format.name;
    for (const std::string_view extension : format.extensions) {
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
      EXPECT_EQ(extension, io::extension_of("a" + std::string(extension))) << "lower case with the dot";
    }
    EXPECT_TRUE(format.sniff && format.decode) << format.name;
    EXPECT_FALSE(format.sniff({})) << format.name << " accepts an empty file";
  }
}

TEST_F(ImageFormats, OneRowAddsAFormatEverywhere) {
  const std::vector<ImageFormat> formats = with_toy();
  const std::string read_names = io::format_names(FormatUse::read, "or", formats);
  EXPECT_TRUE(read_names.starts_with("PNG, JPEG, ") && read_names.ends_with("PFM, TGA or TOY")) << read_names;
  const std::string written_names = io::format_names(FormatUse::written, "and", formats);
  EXPECT_TRUE(written_names.starts_with("PNG, JPEG, ") && written_names.ends_with("PFM and TOY")) << written_names;
  const auto read = io::format_extensions(FormatUse::read, formats);
  EXPECT_EQ(std::ranges::count(read, ".toy2"), 1);

  const std::string file = "TOY!*";
  ASSERT_NE(io::sniffed_format(bytes_of(file), formats), nullptr);
  EXPECT_EQ(io::sniffed_format(bytes_of(file), formats)->name, "TOY");
  EXPECT_EQ(io::decode_picture(bytes_of(file), {}, formats).pixels.image<std::uint8_t>()(0, 0), '*');
  EXPECT_EQ(io::sniffed_format(bytes_of(file)), nullptr) << "the table itself has no such row";

  EXPECT_EQ(io::written_format("A.TOY2", formats).name, "TOY");
  EXPECT_NE(usage_error([&] { (void)io::written_format("a.gif", formats); }).find(".pfm, .toy or .toy2"),
            std::string::npos);
  try {
    (void)io::decode_picture(bytes_of("no picture"), {}, formats);
    FAIL() << "a text was decoded";
  } catch (const io::DecodeFailure& failure) {
    EXPECT_NE(failure.cause.find("TGA or TOY picture"), std::string::npos) << failure.cause;
  }

  // The flags of the toy format say that it holds neither floats nor colours nor alpha.
  const HostArray floats = make_synthetic(InputPattern::noise, Shape::image(Element::f32, 1, 3, 2));
  const HostArray colours = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 3, 2));
  const auto refusal = [&](const HostArray& pixels, FileColour colour) {
    return usage_error([&] { (void)io::require_encodable("a.toy", formats.back(), pixels.view(), colour, formats); });
  };
  EXPECT_NE(refusal(floats, FileColour::grey).find(".toy holds no float pictures, which are written as "),
            std::string::npos);
  EXPECT_NE(refusal(floats, FileColour::grey).find(".pfm"), std::string::npos);
  EXPECT_NE(refusal(colours, FileColour::rgb).find(".toy holds grey only; colours are written as .png, .jpg"),
            std::string::npos);
  EXPECT_NE(usage_error([&] {
              io::save_picture(path("a.ppm"), colours.view(), FileColour::rgba);
            }).find(".ppm holds no alpha; alpha is written as .png"),
            std::string::npos);
  const std::string integers = usage_error([&] { io::save_picture(path("a.pfm"), colours.view(), FileColour::rgb); });
  EXPECT_NE(integers.find(".pfm holds no integers, which are written as .png, .jpg"), std::string::npos) << integers;
  EXPECT_TRUE(integers.ends_with("; --depth float converts the picture to numbers that .pfm holds")) << integers;
}

TEST_F(ImageFormats, EveryWrittenFormatIsSniffedAndReadBack) {
  int written = 0;
  for (const ImageFormat& format : io::image_formats()) {
    if (!format.encode) continue;
    ++written;
    for (const Element element : {Element::u8, Element::u16, Element::f32})
      for (const FileColour colour : {FileColour::grey, FileColour::rgb, FileColour::rgba}) {
        const bool colourful = colour != FileColour::grey;
        if (!format.numbers.hold(element) || (colourful && !format.colour) ||
            (colour == FileColour::rgba && !format.alpha))
          continue;
        HostArray pixels = make_synthetic(InputPattern::noise, Shape::image(element, colourful ? 4 : 1, 13, 7), 3);
        const auto opaque = [&]<class Pixel>(ImageView<Pixel> view, auto alpha) {
          for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
              view(x, y).a = alpha;
        };
        if (colour == FileColour::rgb && element == Element::u8) opaque(pixels.image<Rgba8>(), std::uint8_t{255});
        if (colour == FileColour::rgb && element == Element::u16) opaque(pixels.image<Rgba16>(), std::uint16_t{65535});
        if (colour == FileColour::rgb && element == Element::f32) opaque(pixels.image<Rgba32f>(), 1.0f);

        for (const std::string_view extension : format.extensions) {
          const auto file = path("a" + std::string(extension));
          io::save_picture(file, pixels.view(), colour);
          const ImageFormat* sniffed = io::sniffed_format(bytes_of(read_bytes(file)));
          ASSERT_NE(sniffed, nullptr) << format.name;
          EXPECT_EQ(sniffed->decode, format.decode) << format.name;
          const io::Loaded back = io::load_picture(file);
          const HostIn expected = std::as_const(pixels).view(), actual = std::as_const(back.pixels).view();
          ASSERT_EQ(actual.shape.element, element) << format.name;
          // A format without grey pictures, such as PPM, stores grey as RGB.
          ASSERT_GE(actual.shape.channels, expected.shape.channels) << format.name;
          if (format.name == "JPEG") continue;  // It has losses, which picture_files_test.cpp measures.
          for (std::size_t y = 0; y < 7; ++y)
            for (std::size_t x = 0; x < 13; ++x)
              EXPECT_EQ(std::memcmp(actual.data + y * actual.pitch + x * actual.shape.pixel_bytes(),
                                    expected.data + y * expected.pitch + x * expected.shape.pixel_bytes(),
                                    expected.shape.pixel_bytes()),
                        0)
                  << format.name << " at " << x << ", " << y;
        }
      }
  }
  EXPECT_GE(written, 7);
}

TEST_F(ImageFormats, ListsForOtherKindsComeFromTheSameRows) {
  const auto pictures = io::format_extensions(FormatUse::read);
  const auto heightfields = io::data_extensions(Kind::heightfield, FormatUse::read);
  const auto all = io::data_extensions(FormatUse::read);
  for (const std::string_view extension : pictures) {
    EXPECT_TRUE(io::has_picture_extension("A" + std::string(extension)));
    EXPECT_EQ(std::ranges::count(heightfields, extension), 1) << extension;
    EXPECT_EQ(std::ranges::count(all, extension), 1) << extension;
  }
  EXPECT_EQ(std::ranges::count(heightfields, ".r32"), 1);
  EXPECT_EQ(io::data_extensions(FormatUse::written).front(), ".png");
  EXPECT_TRUE(io::data_extensions(Kind::none, FormatUse::read).empty());
  EXPECT_EQ(io::enumerated(io::data_extensions(Kind::volume, FormatUse::written)),
            ".mhd, .nrrd, .npy, .nii, .nii.gz, .dat, .raw, .png or .pgm");
}

}  // namespace
}  // namespace threadscape
