// Tests of what files of pictures state beside their pixels: colour profiles, the resolution, and the windows of EXR.

#include "compute/io/pictures/picture_facts.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "generated/file_libraries.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

using io::FileColour;
using io::PictureFacts;

class PictureFactsOfFiles : public TestFolder {};

/// A profile with a header for this colour space, and bytes behind it that belong to no tag.
std::vector<std::byte> profile_for(const char* space) {
  std::vector<std::byte> profile(400);
  for (std::size_t i = 132; i < profile.size(); ++i)
    profile[i] = static_cast<std::byte>(i * i % 251);
  const auto put = [&](std::size_t at, const char* text) { std::memcpy(profile.data() + at, text, std::strlen(text)); };
  profile[2] = std::byte{400 >> 8};
  profile[3] = std::byte{400 & 0xFF};
  profile[8] = std::byte{2};
  put(12, "mntr");
  put(16, space);
  put(20, "XYZ ");
  put(36, "acsp");
  constexpr std::array<unsigned char, 12> d50{0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D};
  std::memcpy(profile.data() + 68, d50.data(), d50.size());
  return profile;
}

PictureFacts facts_for(const char* space) {
  return {.profile = profile_for(space), .per_metre_x = 300 / 0.0254, .per_metre_y = 150 / 0.0254};
}

TEST_F(PictureFactsOfFiles, ComeBackFromEveryFormatThatHoldsThem) {
  std::vector<std::string> names{"a.png", "a.jpg"};
  if (TS_HAS_TIFF) names.emplace_back("a.tif");
  if (TS_HAS_WEBP) names.emplace_back("a.webp");
  for (const std::string& name : names) {
    const bool webp = name == "a.webp";
    for (const bool grey : {false, true}) {
      const HostArray pixels = make_synthetic(InputPattern::noise, Shape::image(Element::u8, grey ? 1 : 4, 5, 4));
      const FileColour colour = grey ? FileColour::grey : FileColour::rgb;
      const PictureFacts facts = facts_for(grey && !webp ? "GRAY" : "RGB ");
      EXPECT_EQ(io::facts_left_out(path(name), pixels.view(), colour, facts), "") << name;
      io::save_picture(path(name), pixels.view(), colour, 0, facts);
      const PictureFacts read = io::load_picture(path(name)).facts;
      EXPECT_EQ(read.profile, facts.profile) << name << " " << grey;
      EXPECT_EQ(std::lround(read.per_metre_x * 0.0254), webp ? 0 : 300) << name;
      EXPECT_EQ(std::lround(read.per_metre_y * 0.0254), webp ? 0 : 150) << name;
    }
  }
}

TEST_F(PictureFactsOfFiles, ProfilesOfPicturesWithAlphaAreInWebPToo) {
  if (!TS_HAS_WEBP) GTEST_SKIP() << "libwebp is missing";
  const HostArray pixels = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 5, 4));
  for (const int quality : {0, 90}) {
    io::save_picture(path("a.webp"), pixels.view(), FileColour::rgba, quality, facts_for("RGB "));
    const io::Loaded read = io::load_picture(path("a.webp"));
    EXPECT_EQ(read.facts.profile, profile_for("RGB "));
    EXPECT_EQ(read.colour, FileColour::rgba);
  }
}

TEST_F(PictureFactsOfFiles, WhatIsLeftOutIsNamed) {
  const HostArray grey = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 5, 4));
  const HostArray colours = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 5, 4));
  const auto left_out = [&](const char* name, const HostArray& pixels, FileColour colour, const PictureFacts& facts) {
    const std::string note = io::facts_left_out(path(name), pixels.view(), colour, facts);
    return note.substr(std::min(note.size(), note.find(": ") + 2));
  };
  EXPECT_EQ(left_out("a.png", grey, FileColour::grey, facts_for("RGB ")),
            "the colour profile of the input (RGB ) is left out, since the result is grey");
  EXPECT_EQ(left_out("a.jpg", colours, FileColour::rgb, facts_for("CMYK")),
            "the colour profile of the input (CMYK) is left out, since the result is RGB");
  EXPECT_EQ(left_out("a.ppm", colours, FileColour::rgb, facts_for("RGB ")),
            "the colour profile of the input is left out, since .ppm holds none");
  io::save_picture(path("a.png"), grey.view(), FileColour::grey, 0, facts_for("RGB "));
  EXPECT_TRUE(io::load_picture(path("a.png")).facts.profile.empty());
}

// What libpng refuses is not written, instead of being an error: other formats hold profiles without a look at them.
TEST_F(PictureFactsOfFiles, ADamagedProfileIsLeftOutOfAPng) {
  const HostArray colours = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 5, 4));
  PictureFacts facts = facts_for("RGB ");
  facts.profile[3] = std::byte{99};  // It states another length than it has.
  EXPECT_NE(io::facts_left_out(path("a.png"), colours.view(), FileColour::rgb, facts)
                .find("the colour profile of the input is left out, since it is damaged"),
            std::string::npos);
  io::save_picture(path("a.png"), colours.view(), FileColour::rgb, 0, facts);
  EXPECT_TRUE(io::load_picture(path("a.png")).facts.profile.empty());
  EXPECT_EQ(io::load_picture(path("a.png")).note, "");
}

TEST_F(PictureFactsOfFiles, ADamagedProfileOfAPngIsNamed) {
  const HostArray colours = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 4, 5, 4));
  io::save_picture(path("a.png"), colours.view(), FileColour::rgb, 0, facts_for("RGB "));
  std::string file = read_bytes(path("a.png"));
  const std::size_t chunk = file.find("iCCP");
  ASSERT_NE(chunk, std::string::npos);
  file[chunk + 30] = static_cast<char>(file[chunk + 30] ^ 0x55);  // Its checksum is wrong now.
  write_bytes(path("a.png"), file);
  EXPECT_NE(io::load_picture(path("a.png")).note.find("its colour profile is damaged and is left out"),
            std::string::npos);
}

TEST_F(PictureFactsOfFiles, WindowsOfExrAreKeptAtTheirSize) {
  if (!TS_HAS_EXR) GTEST_SKIP() << "OpenEXR is missing";
  const HostArray pixels = make_synthetic(InputPattern::noise, Shape::image(Element::f32, 4, 20, 35));
  const PictureFacts facts{.windows = io::PictureWindows{{30, -40, 49, -6}, {0, -50, 99, 49}}};
  io::save_picture(path("a.exr"), pixels.view(), FileColour::rgb, 0, facts);
  const io::Loaded read = io::load_picture(path("a.exr"));
  ASSERT_TRUE(read.facts.windows);
  EXPECT_EQ(read.facts.windows->data, facts.windows->data);
  EXPECT_EQ(read.facts.windows->display, facts.windows->display);
  EXPECT_EQ(read.pixels.image<Rgba32f>()(3, 34).g, pixels.image<Rgba32f>()(3, 34).g);
  const HostArray smaller = make_synthetic(InputPattern::noise, Shape::image(Element::f32, 4, 19, 35));
  EXPECT_NE(io::facts_left_out(path("b.exr"), smaller.view(), FileColour::rgb, facts).find("another size"),
            std::string::npos);
}

}  // namespace
}  // namespace threadscape
