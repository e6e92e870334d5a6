// Files of TGA whose headers say what stb_image does not look at, made here byte by byte.

#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

/// The header of a picture of one row: 18 bytes.
std::string tga_header(int type, int width, int bits, int descriptor, int first = 0, int entries = 0) {
  std::string header(18, '\0');
  header[1] = entries > 0 ? 1 : 0;
  header[2] = static_cast<char>(type);
  header[3] = static_cast<char>(first);
  header[5] = static_cast<char>(entries);
  header[7] = entries > 0 ? 24 : 0;
  header[12] = static_cast<char>(width);
  header[14] = 1;
  header[16] = static_cast<char>(bits);
  header[17] = static_cast<char>(descriptor);
  return header;
}

class TgaFiles : public TestFolder {
 protected:
  io::Loaded read(const std::string& bytes) const {
    write_bytes(path("a.tga"), bytes);
    return io::load_picture(path("a.tga"));
  }
};

TEST_F(TgaFiles, RowsMayBeginAtTheRight) {
  const io::Loaded grey = read(tga_header(3, 2, 8, 0x10) + "\x0A\xC8");
  EXPECT_EQ(grey.pixels.image<std::uint8_t>()(0, 0), 200);
  EXPECT_EQ(grey.pixels.image<std::uint8_t>()(1, 0), 10);
  const io::Loaded colour = read(tga_header(2, 2, 24, 0x10) + "\x01\x02\x03\x04\x05\x06");
  EXPECT_EQ(colour.pixels.image<Rgba8>()(0, 0), (Rgba8{6, 5, 4, 255}));
}

TEST_F(TgaFiles, AFourthValueIsAlphaIfTheHeaderSaysSo) {
  const std::string pixels("\x01\x02\x03\x00\x04\x05\x06\x40", 8);
  const io::Loaded alpha = read(tga_header(2, 2, 32, 8) + pixels), none = read(tga_header(2, 2, 32, 0) + pixels);
  EXPECT_EQ(alpha.colour, io::FileColour::rgba);
  EXPECT_EQ(alpha.pixels.image<Rgba8>()(1, 0), (Rgba8{6, 5, 4, 64}));
  EXPECT_EQ(alpha.note, "");
  EXPECT_EQ(none.colour, io::FileColour::rgb);
  EXPECT_EQ(none.pixels.image<Rgba8>()(0, 0), (Rgba8{3, 2, 1, 255}));
  EXPECT_NE(none.note.find("states no alpha"), std::string::npos) << none.note;
  EXPECT_EQ(read(tga_header(2, 1, 32, 0) + std::string("\x01\x02\x03\0", 4)).note, "");
}

TEST_F(TgaFiles, PixelsOf16BitsHaveOneBitOfAlphaIfTheHeaderSaysSo) {
  // 1 10101 00000 11111 and 0 00000 11111 00000: alpha, red, green and blue.
  const std::string pixels("\x1F\xD4\xE0\x03", 4);
  const io::Loaded alpha = read(tga_header(2, 2, 16, 1) + pixels);
  EXPECT_EQ(alpha.colour, io::FileColour::rgba);
  EXPECT_EQ(alpha.pixels.image<Rgba8>()(0, 0), (Rgba8{173, 0, 255, 255}));
  EXPECT_EQ(alpha.pixels.image<Rgba8>()(1, 0), (Rgba8{0, 255, 0, 0}));
  // A run of two, and alpha that is 0 everywhere, which is none.
  const io::Loaded run = read(tga_header(10, 2, 16, 1) + std::string("\x81\xE0\x03", 3));
  EXPECT_EQ(run.colour, io::FileColour::rgb);
  EXPECT_EQ(run.pixels.image<Rgba8>()(1, 0), (Rgba8{0, 255, 0, 255}));
}

TEST_F(TgaFiles, AColourMapBeginsAtItsFirstIndex) {
  const io::Loaded picture = read(tga_header(1, 3, 8, 0, 100, 2) + "\x01\x02\x03\x04\x05\x06" + "\x65\x64\x05");
  EXPECT_EQ(picture.pixels.image<Rgba8>()(0, 0), (Rgba8{6, 5, 4, 255}));
  EXPECT_EQ(picture.pixels.image<Rgba8>()(1, 0), (Rgba8{3, 2, 1, 255}));
  EXPECT_EQ(picture.pixels.image<Rgba8>()(2, 0), (Rgba8{0, 0, 0, 255}));
}

TEST_F(TgaFiles, AColourMapBesideColoursIsNotUsed) {
  const io::Loaded picture = read(tga_header(2, 1, 24, 0, 0, 2) + "\x01\x02\x03\x04\x05\x06" + "\x0A\x14\x1E");
  EXPECT_EQ(picture.pixels.image<Rgba8>()(0, 0), (Rgba8{30, 20, 10, 255}));
  write_bytes(path("a.tga"), tga_header(2, 1, 24, 0, 0, 2) + "\x01\x02");
  EXPECT_THROW((void)io::load_picture(path("a.tga")), EnvironmentError);
}

}  // namespace
}  // namespace threadscape
