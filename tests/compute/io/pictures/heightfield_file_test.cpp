// Tests that heightfields are written to files and read back.

#include "compute/io/pictures/heightfield_file.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "compute/core/border.h"
#include "compute/io/data_file.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/terrain_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class HeightfieldFile : public TestFolder {
 protected:
  static std::string failure(const auto& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string load_failure(const std::string& name) const {
    return failure([&] { (void)io::load_heightfield(path(name), {}); });
  }
  std::string save_failure(const std::string& name, const HostArray& heights) const {
    return failure([&] { io::save_heightfield(path(name), heights.view(), 0); });
  }
};

const auto slope = [](int x, int y) { return x * 3 + y * 20; };

TEST_F(HeightfieldFile, IntegersAreReadBackExactly) {
  const HostArray bytes = heightfield<std::uint8_t>(7, 5, slope);
  const HostArray words = heightfield<std::uint16_t>(5, 9, [](int x, int y) { return x * 13000 + y; });
  for (const char* name : {"a.png", "a.pgm"}) {
    for (const HostArray* heights : {&bytes, &words}) {
      io::save_heightfield(path(name), heights->view(), 0);
      EXPECT_EQ(difference(io::load_heightfield(path(name), {}), *heights), "") << name;
    }
  }
  EXPECT_EQ(names().size(), 2u);
}

TEST_F(HeightfieldFile, RawFloatsAreExact) {
  const HostArray heights = heightfield<float>(9, 9, [](int x, int y) { return std::sin(x * 0.7) * 1e3 - y / 3.0; });
  io::save_heightfield(path("a.r32"), heights.view(), 0);
  const std::string bytes = read_bytes(path("a.r32"));
  ASSERT_EQ(bytes.size(), 9u * 9 * 4);
  float second = 0;
  std::memcpy(&second, bytes.data() + 4, 4);
  EXPECT_EQ(second, heights.image<float>()(1, 0));
  EXPECT_EQ(difference(io::load_heightfield(path("a.r32"), {}), heights), "");
  const HostArray from_bytes = heightfield<std::uint8_t>(3, 3, slope);
  io::save_heightfield(path("b.r32"), from_bytes.view(), 0);
  EXPECT_EQ(io::load_heightfield(path("b.r32"), {}).image<float>()(2, 2), 46.0f);
}

TEST_F(HeightfieldFile, GridsOfElevationAreRead) {
  const auto loaded = [&](const std::string& name, const std::string& bytes) {
    write_bytes(path(name), bytes);
    std::string note;
    HostArray heights = io::load_heightfield(path(name), {}, &note);
    return std::pair(std::move(heights), note);
  };
  // Holes are NaN, and count in no range.
  const auto [grid, grid_note] = loaded("a.asc",
                                        "NCOLS 3\r\nnrows 2\nxllcorner 0\nyllcorner -1.5\ncellsize 30\n"
                                        "NODATA_value -9999\n1 2.5 3\n4 -9999 +6\n");
  EXPECT_EQ(difference(
                grid, heightfield<float>(
                          3, 2,
                          [](int x, int y) {
                            constexpr float wanted[2][3]{{1, 2.5f, 3}, {4, std::numeric_limits<float>::quiet_NaN(), 6}};
                            return wanted[y][x];
                          })),
            "");
  EXPECT_NE(grid_note.find("a.asc': 1 of its 6 heights are holes without data"), std::string::npos) << grid_note;
  const auto [tile, tile_note] = loaded("a.hgt", std::string("\x00\x10\xff\xf0\x80\x00\x01\x00", 8));
  EXPECT_EQ(tile.image<float>()(0, 0), 16.0f);
  EXPECT_EQ(tile.image<float>()(1, 0), -16.0f);
  EXPECT_TRUE(std::isnan(tile.image<float>()(0, 1)));
  EXPECT_EQ(height_range(tile.view()).low, -16.0f);
  EXPECT_EQ(height_range(tile.view()).high, 256.0f);
  // Where a format has no NaN, holes get the lowest level.
  io::save_heightfield(path("tile.png"), tile.view(), 0);
  EXPECT_NEAR(io::load_heightfield(path("tile.png"), {}).image<float>()(0, 1), -16.0f, 0.01);
  io::save_heightfield(path("tile.npy"), tile.view(), 0);
  EXPECT_TRUE(std::isnan(io::load_heightfield(path("tile.npy"), {}).image<float>()(0, 1)));
  EXPECT_EQ(tile.image<float>()(1, 1), 256.0f);
  EXPECT_NE(tile_note.find("1 of its 4 heights"), std::string::npos) << tile_note;
  const HostArray words = heightfield<std::uint16_t>(3, 3, [](int x, int y) { return x * 13000 + y; });
  io::save_heightfield(path("a.r16"), words.view(), 0);
  EXPECT_EQ(read_bytes(path("a.r16")).substr(2, 2), "\xc8\x32");
  EXPECT_EQ(difference(io::load_heightfield(path("a.r16"), {}), words), "");

  for (const char* name : {"b.hgt", "b.r16"}) {
    write_bytes(path(name), "123456");
    EXPECT_NE(load_failure(name).find("are not a square of 16-bit numbers"), std::string::npos) << load_failure(name);
  }
  write_bytes(path("b.asc"), "ncols 3\nnrows 2\n1 2 3 4 5\n");
  EXPECT_NE(load_failure("b.asc").find("truncated"), std::string::npos) << load_failure("b.asc");
  write_bytes(path("b.asc"), "ncols 3000\nnrows 2000\n1 2 3 4 5\n");
  EXPECT_NE(load_failure("b.asc").find("truncated"), std::string::npos) << load_failure("b.asc");
  write_bytes(path("b.asc"), "1 2 3\n");
  EXPECT_NE(load_failure("b.asc").find("no ASCII grid"), std::string::npos) << load_failure("b.asc");
  write_bytes(path("b.asc"), "ncols 1\nnrows 1\nNODATA_value 7\n7\n");
  EXPECT_NE(load_failure("b.asc").find("all of it is holes"), std::string::npos) << load_failure("b.asc");
}

TEST_F(HeightfieldFile, HolesOfGeoTiffAreTold) {
  // Two floats, of which GDAL says that -9999 is a hole.
  const auto number = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
      text += static_cast<char>(value >> (8 * i) & 0xffu);
    return text;
  };
  const auto entry = [&](int tag, int type, std::uint64_t count, std::uint64_t value) {
    return number(static_cast<std::uint64_t>(tag), 2) + number(static_cast<std::uint64_t>(type), 2) + number(count, 4) +
           number(value, 4);
  };
  std::string file = "II" + number(42, 2) + number(8, 4) + number(10, 2);
  file += entry(256, 3, 1, 2) + entry(257, 3, 1, 1) + entry(258, 3, 1, 32) + entry(259, 3, 1, 1) + entry(262, 3, 1, 1) +
          entry(273, 4, 1, 140) + entry(278, 3, 1, 1) + entry(279, 4, 1, 8) + entry(339, 3, 1, 3) +
          entry(42113, 2, 6, 134) + number(0, 4);
  ASSERT_EQ(file.size(), 134u);
  file += std::string("-9999\0", 6) + number(std::bit_cast<std::uint32_t>(12.5f), 4) +
          number(std::bit_cast<std::uint32_t>(-9999.0f), 4);
  write_bytes(path("a.tif"), file);
  if (const std::string why = load_failure("a.tif"); why.find("libtiff") != std::string::npos) GTEST_SKIP() << why;
  std::string note;
  const HostArray heights = io::load_heightfield(path("a.tif"), {}, &note);
  EXPECT_EQ(heights.image<float>()(0, 0), 12.5f);
  EXPECT_TRUE(std::isnan(heights.image<float>()(1, 0)));
  EXPECT_NE(note.find("1 of its 2 heights are holes"), std::string::npos) << note;
}

TEST_F(HeightfieldFile, FloatsAreScaledByTheirRangeAndTheRangeIsStated) {
  const HostArray heights = heightfield<float>(33, 17, [](int x, int y) { return x * 0.125 - y * 0.5 + 0.25; });
  for (const int bits : {0, 8, 16}) {
    io::save_heightfield(path("a.png"), heights.view(), bits);
    EXPECT_NE(read_bytes(path("a.png")).find(std::string("Heights\0-7.75 4.25", 18)), std::string::npos);
    const io::Loaded picture = io::load_picture(path("a.png"));
    EXPECT_EQ(picture.pixels.shape().element, bits == 8 ? Element::u8 : Element::u16);
    const HostArray back = io::load_heightfield(path("a.png"), {});
    const double step = 12.0 / (bits == 8 ? 255 : 65535);
    for (int y = 0; y < 17; ++y)
      for (int x = 0; x < 33; ++x)
        ASSERT_NEAR(back.image<float>()(x, y), heights.image<float>()(x, y), step / 2 * 1.001);
  }
  EXPECT_EQ(height_range_text(heights.view()), "heights -7.75 to 4.25\n");
}

TEST_F(HeightfieldFile, BytesIn16BitsAndFlatTerrain) {
  const HostArray bytes = heightfield<std::uint8_t>(7, 5, slope);
  io::save_heightfield(path("a.png"), bytes.view(), 16);
  EXPECT_EQ(io::load_picture(path("a.png")).pixels.image<std::uint16_t>()(2, 1), 26 * 257);
  EXPECT_EQ(io::load_heightfield(path("a.png"), {}).image<float>()(2, 1), 26.0f);
  const HostArray flat = heightfield<float>(4, 4, [](int, int) { return -2.5; });
  io::save_heightfield(path("b.png"), flat.view(), 0);
  EXPECT_EQ(difference(io::load_heightfield(path("b.png"), {}), flat), "");
}

TEST_F(HeightfieldFile, AnyPictureIsAHeightmapByItsLuma) {
  HostArray colour(Shape::image(Element::u8, 4, 4, 3));
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 4; ++x)
      colour.image<Rgba8>()(x, y) = {200, static_cast<std::uint8_t>(10 * x), 30, 255};
  io::save_picture(path("a.png"), std::as_const(colour).view(), io::FileColour::rgb);
  const HostArray heights = io::load_heightfield(path("a.png"), {});
  EXPECT_EQ(heights.shape(), (Shape{Kind::heightfield, Element::u8, 1, 4, 3, 1}));
  EXPECT_EQ(heights.image<std::uint8_t>()(2, 1), luma(Rgba8{200, 20, 30, 255}));
  EXPECT_EQ(difference(io::load_data(path("a.png"), {.kind = Kind::heightfield}, {}).pixels, heights), "");
}

TEST_F(HeightfieldFile, BadFilesAreRefusedWithTheReason) {
  write_bytes(path("odd.r32"), std::string(10, '\0'));
  EXPECT_NE(load_failure("odd.r32").find("its 10 bytes are not a square of 4-byte floats"), std::string::npos);
  write_bytes(path("oblong.r32"), std::string(4 * 6, '\0'));
  EXPECT_NE(load_failure("oblong.r32").find("its 24 bytes are not a square"), std::string::npos);
  write_bytes(path("empty.r32"), "");
  EXPECT_NE(load_failure("empty.r32").find("it is empty"), std::string::npos);
  EXPECT_NE(load_failure("missing.r32").find("No such file"), std::string::npos);
  const float values[4]{0, 1, std::numeric_limits<float>::infinity(), 2};
  write_bytes(path("infinite.r32"), std::string(reinterpret_cast<const char*>(values), sizeof values));
  EXPECT_NE(load_failure("infinite.r32").find("its height at 0, 1 is no finite number"), std::string::npos);
}

TEST_F(HeightfieldFile, AFailedWriteLeavesNoFile) {
  const HostArray floats = heightfield<float>(4, 3, slope), bytes = heightfield<std::uint8_t>(4, 3, slope);
  EXPECT_NE(save_failure("a.jpg", floats).find("written as .png, .pgm, .r32"), std::string::npos);
  EXPECT_NE(save_failure("a.pgm", floats).find(".pgm holds no float heights, which are written as .png, .r32"),
            std::string::npos);
  EXPECT_NE(save_failure("a.r32", bytes).find(".r32 holds squares"), std::string::npos);
  EXPECT_NE(save_failure("no/folder.png", bytes).find("does not exist"), std::string::npos);
  EXPECT_TRUE(names().empty());
  EXPECT_THROW(io::require_data_path(path("a.jpg"), Kind::heightfield), UsageError);
}

TEST_F(HeightfieldFile, AnInvalidRangeIsIgnored) {
  const HostArray heights = heightfield<float>(3, 3, slope);
  io::save_heightfield(path("a.png"), heights.view(), 16);
  std::string bytes = read_bytes(path("a.png"));
  // A PNG whose text chunk has the same keyword but another text, as an older program may have written it. The chunk's
  // CRC no longer fits the text, so the test computes it again.
  const std::size_t at = bytes.find("Heights");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 7, "Altitud");
  std::uint32_t crc = ~0u;
  const std::size_t start = at - 4, length = static_cast<unsigned char>(bytes[at - 5]);
  for (std::size_t i = start; i < at + length; ++i) {
    crc ^= static_cast<unsigned char>(bytes[i]);
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
  }
  crc = ~crc;
  for (int i = 0; i < 4; ++i)
    bytes[at + length + static_cast<std::size_t>(i)] = static_cast<char>(crc >> (24 - 8 * i));
  write_bytes(path("b.png"), bytes);
  EXPECT_EQ(io::load_heightfield(path("b.png"), {}).shape().element, Element::u16);
}

}  // namespace
}  // namespace threadscape::testing
