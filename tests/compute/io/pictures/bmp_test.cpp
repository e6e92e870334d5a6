// Files of BMP in the forms that programs have written, made here byte by byte.

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>

#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

/// Appends numbers of a number of bytes, the lowest byte first.
std::string numbers(int bytes, std::initializer_list<std::int64_t> values) {
  std::string text;
  for (const std::int64_t value : values)
    for (int b = 0; b < bytes; ++b)
      text.push_back(static_cast<char>(value >> 8 * b & 0xFF));
  return text;
}

/// A file of BMP. What is not set is 0.
struct Bmp {
  std::int64_t width = 0, height = 0, bits = 8, compression = 0, colours = 0;
  std::size_t header_bytes = 40;
  std::string masks = {};    ///< Follow the 40 bytes of the header, within longer headers.
  std::string palette = {};  ///< Follows the header.
  std::string gap = {};      ///< Between the palette and the pixels.
  std::string pixels = {};
  std::int64_t offset = -1;  ///< Where the header says that the pixels begin; negative for the right place.

  [[nodiscard]] std::string bytes() const {
    std::string header = numbers(4, {static_cast<std::int64_t>(header_bytes)});
    if (header_bytes == 12)
      header += numbers(2, {width, height, 1, bits});
    else
      header += numbers(4, {width, height}) + numbers(2, {1, bits}) + numbers(4, {compression, 0, 0, 0, colours, 0});
    header += masks;
    if (header_bytes != 40) header.resize(header_bytes);
    const std::size_t start = 14 + header.size() + palette.size() + gap.size();
    return "BM" + numbers(4, {0, 0, offset < 0 ? static_cast<std::int64_t>(start) : offset}) + header + palette + gap +
           pixels;
  }
};

std::string palette_of(int entry_bytes, std::initializer_list<std::int64_t> colours) {
  return numbers(entry_bytes, colours);
}

class BmpFiles : public TestFolder {
 protected:
  io::Loaded read(const std::string& bytes) const {
    write_bytes(path("a.bmp"), bytes);
    return io::load_picture(path("a.bmp"));
  }
  /// The pixels as 0xRRGGBBAA in rows, or as grey levels.
  std::vector<std::uint32_t> pixels(const std::string& bytes) const {
    const io::Loaded picture = read(bytes);
    const Shape& shape = picture.pixels.shape();
    std::vector<std::uint32_t> values;
    for (int y = 0; y < static_cast<int>(shape.height); ++y)
      for (int x = 0; x < static_cast<int>(shape.width); ++x) {
        if (shape.channels == 1) {
          values.push_back(picture.pixels.image<std::uint8_t>()(x, y));
          continue;
        }
        const Rgba8 p = picture.pixels.image<Rgba8>()(x, y);
        values.push_back(std::uint32_t{p.r} << 24 | std::uint32_t{p.g} << 16 | std::uint32_t{p.b} << 8 | p.a);
      }
    return values;
  }
  std::string failure(const std::string& bytes) const {
    try {
      (void)read(bytes);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "accepted";
  }
};

using Values = std::vector<std::uint32_t>;

TEST_F(BmpFiles, PalettesOfOs2HaveThreeBytes) {
  const Bmp file{.width = 3,
                 .height = 1,
                 .header_bytes = 12,
                 .palette = palette_of(3, {0xFF0000, 0x00FF00, 0x010203}),
                 .pixels = numbers(1, {2, 1, 0, 0})};
  EXPECT_EQ(pixels(file.bytes()), (Values{0x010203FF, 0x00FF00FF, 0xFF0000FF}));
}

TEST_F(BmpFiles, HeadersMayEndAfterAnyMemberOrGoOn) {
  for (const std::size_t bytes : {16u, 20u, 24u, 40u, 52u, 56u, 64u, 108u, 124u}) {
    const Bmp file{.width = 2,
                   .height = 1,
                   .header_bytes = bytes,
                   .palette = palette_of(4, {0x112233, 0x445566}),
                   .pixels = numbers(1, {1, 0, 0, 0})};
    EXPECT_EQ(pixels(file.bytes()), (Values{0x445566FF, 0x112233FF})) << bytes;
  }
}

TEST_F(BmpFiles, ArraysOfOs2HoldAFile) {
  Bmp file{.width = 1, .height = 1, .bits = 24, .header_bytes = 12, .pixels = numbers(1, {3, 2, 1, 0})};
  file.offset = 14 + 26;
  EXPECT_EQ(pixels("BA" + numbers(4, {0, 0, 0}) + file.bytes()), (Values{0x010203FF}));
}

TEST_F(BmpFiles, ANegativeHeightBeginsWithTheTopRow) {
  Bmp file{.width = 1, .height = 2, .bits = 24, .pixels = numbers(4, {0x111111, 0x222222})};
  EXPECT_EQ(pixels(file.bytes()), (Values{0x222222FF, 0x111111FF}));
  file.height = -2;
  EXPECT_EQ(pixels(file.bytes()), (Values{0x111111FF, 0x222222FF}));
}

TEST_F(BmpFiles, PixelsAreWhereTheHeaderSays) {
  const Bmp file{.width = 1,
                 .height = 1,
                 .bits = 24,
                 .colours = 2,
                 .palette = palette_of(4, {1, 2}),
                 .gap = "gap",
                 .pixels = numbers(4, {0xABCDEF})};
  EXPECT_EQ(pixels(file.bytes()), (Values{0xABCDEFFF}));
  Bmp without_offset = file;
  without_offset.gap = "";
  without_offset.offset = 0;
  EXPECT_EQ(pixels(without_offset.bytes()), (Values{0xABCDEFFF}));
}

TEST_F(BmpFiles, SmallIndicesShareABytes) {
  const std::string grey = palette_of(4, {0x000000, 0x555555, 0xAAAAAA, 0xFFFFFF});
  EXPECT_EQ(pixels(Bmp{.width = 9,
                       .height = 1,
                       .bits = 1,
                       .palette = palette_of(4, {0xFFFFFF, 0x000000}),
                       .pixels = numbers(1, {0b10100000, 0b10000000, 0, 0})}
                       .bytes()),
            (Values{0, 255, 0, 255, 255, 255, 255, 255, 0}));
  EXPECT_EQ(
      pixels(
          Bmp{.width = 5, .height = 1, .bits = 2, .palette = grey, .pixels = numbers(1, {0b00011011, 0b01000000, 0, 0})}
              .bytes()),
      (Values{0, 85, 170, 255, 85}));
  EXPECT_EQ(
      pixels(
          Bmp{.width = 3, .height = 1, .bits = 4, .palette = grey, .pixels = numbers(1, {0x31, 0x20, 0, 0})}.bytes()),
      (Values{255, 85, 170}));
}

TEST_F(BmpFiles, FieldsOfBitsAreWidened) {
  // Without masks, 16 bits are five for each channel.
  EXPECT_EQ(pixels(Bmp{.width = 2, .height = 1, .bits = 16, .pixels = numbers(2, {0x7C00, 0x0210})}.bytes()),
            (Values{0xFF0000FF, 0x008484FF}));
  EXPECT_EQ(pixels(Bmp{.width = 2,
                       .height = 1,
                       .bits = 16,
                       .compression = 3,
                       .masks = numbers(4, {0xF800, 0x07E0, 0x001F}),
                       .pixels = numbers(2, {0xF800, 0x0400})}
                       .bytes()),
            (Values{0xFF0000FF, 0x008200FF}));
  EXPECT_EQ(pixels(Bmp{.width = 2,
                       .height = 1,
                       .bits = 32,
                       .compression = 3,
                       .header_bytes = 108,
                       .masks = numbers(4, {0x3FF00000, 0x000FFC00, 0x000003FF, 0xC0000000}),
                       .pixels = numbers(4, {0xFFF00000, 0x400003FF})}
                       .bytes()),
            (Values{0xFF0000FF, 0x0000FF55}));
  // A fourth byte that no mask names is no alpha, and alpha that is 0 everywhere was not written.
  EXPECT_EQ(pixels(Bmp{.width = 1, .height = 1, .bits = 32, .pixels = numbers(4, {0x77010203})}.bytes()),
            (Values{0x010203FF}));
  EXPECT_EQ(pixels(Bmp{.width = 1,
                       .height = 1,
                       .bits = 32,
                       .compression = 6,
                       .masks = numbers(4, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}),
                       .pixels = numbers(4, {0x00010203})}
                       .bytes()),
            (Values{0x010203FF}));
}

TEST_F(BmpFiles, RunsAreUnpacked) {
  const std::string colours = palette_of(4, {0x101010, 0x202020, 0x303030, 0x404040});
  // A run, indices as they are with a byte that fills a word, the end of a row, and the end of the picture.
  EXPECT_EQ(pixels(Bmp{.width = 5,
                       .height = 2,
                       .compression = 1,
                       .colours = 4,
                       .palette = colours,
                       .pixels = numbers(1, {2, 3, 0, 3, 0, 1, 2, 0, 0, 0, 5, 1, 0, 1})}
                       .bytes()),
            (Values{0x20, 0x20, 0x20, 0x20, 0x20, 0x40, 0x40, 0x10, 0x20, 0x30}));
  EXPECT_EQ(pixels(Bmp{.width = 5,
                       .height = 1,
                       .bits = 4,
                       .compression = 2,
                       .colours = 4,
                       .palette = colours,
                       .pixels = numbers(1, {3, 0x12, 0, 2, 0, 0, 0, 1})}
                       .bytes()),
            (Values{0x202020FF, 0x303030FF, 0x202020FF, 0, 0}))
      << "what the step skips is transparent";
  EXPECT_EQ(pixels(Bmp{.width = 4,
                       .height = 1,
                       .bits = 4,
                       .compression = 2,
                       .colours = 4,
                       .palette = colours,
                       .pixels = numbers(1, {0, 4, 0x01, 0x23, 0, 1})}
                       .bytes()),
            (Values{0x10, 0x20, 0x30, 0x40}));
}

TEST_F(BmpFiles, AnIndexBeyondThePaletteIsBlackAndSaid) {
  const Bmp file{.width = 3,
                 .height = 1,
                 .colours = 2,
                 .palette = palette_of(4, {0x112233, 0x445566}),
                 .pixels = numbers(1, {1, 200, 2, 0})};
  EXPECT_EQ(pixels(file.bytes()), (Values{0x445566FF, 0x000000FF, 0x000000FF}));
  const std::string note = read(file.bytes()).note;
  EXPECT_NE(note.find("a.bmp': 2 pixels have indices beyond its palette, and are black"), std::string::npos) << note;
}

TEST_F(BmpFiles, PixelsThatBeginWithinThePaletteAreTakenFromBehindIt) {
  Bmp file{.width = 2,
           .height = 1,
           .colours = 2,
           .palette = palette_of(4, {0x112233, 0x445566}),
           .pixels = numbers(1, {1, 0, 0, 0})};
  file.offset = 14 + 40;
  EXPECT_EQ(pixels(file.bytes()), (Values{0x445566FF, 0x112233FF}));
  const std::string note = read(file.bytes()).note;
  EXPECT_NE(note.find("begin within its palette"), std::string::npos) << note;
  // Where the rows are not there, colours are left out instead.
  file.pixels = "";
  EXPECT_EQ(pixels(file.bytes()), (Values{0x000000FF, 0x000000FF}));
}

TEST_F(BmpFiles, RunsThatLeaveThePictureAreSaid) {
  Bmp file{.width = 2,
           .height = 1,
           .compression = 1,
           .palette = palette_of(4, {0x101010, 0x202020}),
           .pixels = numbers(1, {2, 1, 0, 1})};
  EXPECT_EQ(read(file.bytes()).note, "");
  for (const std::initializer_list<std::int64_t> runs :
       {std::initializer_list<std::int64_t>{3, 1, 0, 1}, {0, 2, 0, 9}}) {
    file.pixels = numbers(1, runs);
    const std::string note = read(file.bytes()).note;
    EXPECT_NE(note.find("its runs leave the picture"), std::string::npos) << note;
  }
}

/// The most memory that this process has had since the last call with `reset`, in KiB; -1 where the system does not
/// say.
std::int64_t peak_kib(bool reset) {
  if (reset) {
    std::ofstream clear("/proc/self/clear_refs");
    clear << 5;
    if (!clear.flush()) return -1;
  }
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtoll(line.c_str() + 6, nullptr, 10);
  return -1;
}

TEST_F(BmpFiles, RowsThatAreNotThereTakeNoMemory) {
  const Bmp file{.width = 24, .height = 0xff0000, .bits = 8, .palette = std::string(1024, 'p'), .pixels = "short"};
  const std::int64_t before = peak_kib(true);
  if (before < 0) GTEST_SKIP() << "the system does not state the memory of a process";
  const std::string text = failure(file.bytes());
  EXPECT_NE(text.find("it is truncated"), std::string::npos) << text;
  EXPECT_LT(peak_kib(false) - before, 64 << 10) << "the header states 1.6 GB of pixels";
}

TEST_F(BmpFiles, DamageAndOtherFilesInsideAreRefused) {
  const auto refused = [&](const Bmp& file, const char* why) {
    const std::string text = failure(file.bytes());
    EXPECT_NE(text.find(why), std::string::npos) << text;
  };
  const Bmp whole{.width = 2, .height = 2, .bits = 24, .pixels = std::string(16, 'x')};
  EXPECT_EQ(failure(whole.bytes()), "accepted");
  const auto with = [&](auto change) {
    Bmp file = whole;
    change(file);
    return file;
  };
  EXPECT_EQ(failure(with([](Bmp& f) { f.pixels.resize(14); }).bytes()), "accepted") << "the last word is not filled";
  refused(with([](Bmp& f) { f.pixels.resize(13); }), "it is truncated");
  refused(with([](Bmp& f) { f.offset = 1000; }), "it is truncated");
  refused(with([](Bmp& f) { f.offset = 20; }), "its pixels begin inside of its header");
  refused(with([](Bmp& f) { f.height = 0; }), "pixels");
  refused(with([](Bmp& f) { f.width = -2; }), "pixels");
  refused(with([](Bmp& f) { f.bits = 64; }), "pixels of 64 bits are not read");
  refused(with([](Bmp& f) {
            f.compression = 4;
            f.bits = 0;
          }),
          "it holds a JPEG file");
  refused(with([](Bmp& f) {
            f.compression = 5;
            f.bits = 0;
          }),
          "it holds a PNG file");
  refused(with([](Bmp& f) { f.compression = 4; }), "RLE24");
  refused(with([](Bmp& f) {
            f.compression = 3;
            f.bits = 1;
          }),
          "Huffman");
  refused(with([](Bmp& f) { f.compression = 9; }), "compression 9 of 24-bit pixels is not known");
  refused(with([](Bmp& f) {
            f.compression = 3;
            f.bits = 16;
            f.masks = numbers(4, {0xF00F, 0, 0});
          }),
          "not side by side");
  const Bmp runs{
      .width = 4, .height = 1, .compression = 1, .palette = palette_of(4, {0, 1}), .pixels = numbers(1, {2, 1, 0})};
  refused(runs, "it is truncated");
}

}  // namespace
}  // namespace threadscape
