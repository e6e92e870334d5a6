// Tests of DICOM files of less common kinds, which are written here element by element.

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "compute/io/volumes/volume_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i) & 0xffu);
  return text;
}

/// An element whose length is not stated for the length -1.
std::string element(std::uint32_t tag, const std::string& type, std::string value, std::int64_t length = 0) {
  if (value.size() % 2 == 1) value += type == "UI" || type == "OB" ? '\0' : ' ';
  const bool long_length = type == "SQ" || type == "UN" || type[0] == 'O';
  const std::uint64_t bytes = length < 0 ? 0xffffffffu : value.size();
  return little_endian(tag >> 16, 2) + little_endian(tag & 0xffffu, 2) + type +
         (long_length ? std::string(2, '\0') + little_endian(bytes, 4) : little_endian(bytes, 2)) + value;
}
std::string number(std::uint32_t tag, int value) {
  return element(tag, "US", little_endian(static_cast<std::uint16_t>(value), 2));
}
/// An item or a delimiter of sequences.
std::string item(std::uint32_t tag, const std::string& value, bool has_length = true) {
  return little_endian(tag >> 16, 2) + little_endian(tag & 0xffffu, 2) +
         little_endian(has_length ? value.size() : 0xffffffffu, 4) + value;
}
constexpr std::uint32_t item_start = 0xFFFEE000, item_end = 0xFFFEE00D, sequence_end = 0xFFFEE0DD;

std::string preamble(const std::string& syntax) {
  return std::string(128, '\0') + "DICM" + element(0x00020010, "UI", syntax);
}

/// What a file states that is written by DicomKinds::load().
struct Stated {
  std::string before;  ///< Elements in front of those that describe the pixels.
  int columns = 3, rows = 2, allocated = 16, with_sign = 0;
  std::string photometric = "MONOCHROME2", frames = "1";
  std::string after;  ///< Elements between those and the pixels.
  std::string pixels;

  [[nodiscard]] std::string dataset() const {
    std::string text = before + number(0x00280002, 1) + element(0x00280004, "CS", photometric) +
                       element(0x00280008, "IS", frames) + number(0x00280010, rows) + number(0x00280011, columns) +
                       number(0x00280100, allocated);
    if (allocated <= 16)
      text += number(0x00280101, allocated) + number(0x00280102, allocated - 1) + number(0x00280103, with_sign);
    return text + after + pixels;
  }
};

std::string words(const std::vector<int>& values) {
  std::string text;
  for (const int value : values)
    text += little_endian(static_cast<std::uint16_t>(value), 2);
  return element(0x7FE00010, "OW", text);
}

class DicomKinds : public TestFolder {
 protected:
  io::Loaded load(const std::string& file) const {
    write_bytes(path("a.dcm"), file);
    return io::load_volume(path("a.dcm"), {}, {});
  }
  io::Loaded load(const Stated& stated) const { return load(preamble("1.2.840.10008.1.2.1") + stated.dataset()); }
  static std::vector<float> values(const io::Loaded& volume) {
    const auto* const first = reinterpret_cast<const float*>(volume.pixels.data());
    return {first, first + volume.pixels.shape().items()};
  }
  template <class T>
  std::string failure(const T& stated) const {
    try {
      (void)load(stated);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(DicomKinds, FloatsOf32And64BitsAreRead) {
  const std::vector<float> wanted{-1.5f, 0.0f, 2.5e-3f, 1e6f, 7.0f, -0.25f};
  std::string floats, doubles;
  for (const float value : wanted) {
    floats += little_endian(std::bit_cast<std::uint32_t>(value), 4);
    doubles += little_endian(std::bit_cast<std::uint64_t>(static_cast<double>(value)), 8);
  }
  EXPECT_EQ(values(load(Stated{.allocated = 32, .pixels = element(0x7FE00008, "OF", floats)})), wanted);
  EXPECT_EQ(values(load(Stated{.allocated = 64, .pixels = element(0x7FE00009, "OD", doubles)})), wanted);
}

TEST_F(DicomKinds, WhatIsTakenOrNotAppliedIsSaid) {
  const std::string spacing = element(0x00280030, "DS", "0.5\\0.5"), thickness = element(0x00180050, "DS", "2");
  Stated stated{.pixels = words({1, 2, 3, 4, 5, 6})};
  EXPECT_NE(load(stated).note.find("it states no size of its pixels, and 1 mm is taken; it states no distance of its "
                                   "slices, and 1 mm is taken"),
            std::string::npos);
  stated.before = thickness;
  stated.after = spacing;
  EXPECT_EQ(load(stated).note, "");
  stated.after += element(0x00283000, "SQ", item(item_start, element(0x00283002, "US", std::string(6, '\1'))));
  EXPECT_EQ(values(load(stated)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_NE(load(stated).note.find("(Modality LUT) is not applied"), std::string::npos) << load(stated).note;
}

TEST_F(DicomKinds, SegmentationsOfOneBitAreRead) {
  // Two frames of 3 x 2 pixels: 12 bits without a gap, the first one the lowest.
  const Stated stated{.allocated = 1, .frames = "2", .pixels = element(0x7FE00010, "OB", "\x65\x0a")};
  EXPECT_EQ(values(load(stated)), (std::vector<float>{1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1}));
  Stated cut = stated;
  cut.frames = "3";
  EXPECT_NE(failure(cut).find("3 frames of 6 bits do not fit into its 2 bytes"), std::string::npos) << failure(cut);
}

TEST_F(DicomKinds, PixelsOfThePaddingValueAreAirInACt) {
  Stated stated{
      .before = element(0x00080060, "CS", "CT"),
      .with_sign = 1,
      .after = number(0x00280120, -2000) + element(0x00281052, "DS", "-1024") + element(0x00281053, "DS", "1"),
      .pixels = words({-2000, 0, 24, 1024, -1999, 3000})};
  const io::Loaded ct = load(stated);
  EXPECT_EQ(values(ct), (std::vector<float>{-1000, -1024, -1000, 0, -3023, 1976}));
  EXPECT_NE(ct.note.find("pixels of its padding value -2000 are no part of the scan and become -1000, which is air"),
            std::string::npos)
      << ct.note;
  stated.before = "";
  stated.after = number(0x00280120, -2000) + number(0x00280121, -1999);
  EXPECT_EQ(values(load(stated)), (std::vector<float>{0, 0, 24, 1024, 0, 3000}));
}

TEST_F(DicomKinds, DosesHaveTheirUnitAndThePlacesOfTheirFrames) {
  const Stated dose{.before = element(0x00200032, "DS", "1\\2\\10") + element(0x00200037, "DS", "1\\0\\0\\0\\1\\0"),
                    .columns = 1,
                    .rows = 1,
                    .frames = "3",
                    .after = element(0x00280030, "DS", "2\\2") + element(0x3004000C, "DS", "0\\2.5\\5") +
                             element(0x3004000E, "DS", "0.5"),
                    .pixels = words({10, 20, 30})};
  const io::Loaded volume = load(dose);
  EXPECT_EQ(values(volume), (std::vector<float>{5, 10, 15}));
  EXPECT_EQ(volume.note, "");
  EXPECT_EQ(io::VolumeReader(path("a.dcm"), {}).spacing()[2], 2.0);
  EXPECT_EQ(io::VolumeReader(path("a.dcm"), {}).spacing()[1], 2.5);
}

TEST_F(DicomKinds, SequencesWithoutTheirDelimitersEnd) {
  const std::string inner = number(0x00081155, 1);
  const std::vector<int> pixels{1, 2, 3, 4, 5, 6};
  const std::vector<float> wanted{1, 2, 3, 4, 5, 6};
  const std::string whole = item(item_start, inner);
  for (const std::string& content :
       {whole, whole + whole, item(item_start, inner, false) + item(item_end, "") + item(sequence_end, ""),
        item(item_start, inner, false) + item(item_start, inner, false) + item(sequence_end, "")})
    EXPECT_EQ(values(load(Stated{.before = element(0x00081140, "SQ", content, -1), .pixels = words(pixels)})), wanted);
  EXPECT_NE(failure(Stated{.after = element(0x00081140, "SQ", whole, -1)}).find("truncated"), std::string::npos);
}

TEST_F(DicomKinds, IconsOfCompressedPixelsAreNoElements) {
  // The second piece of the icon's pixels would be elements that are longer than the file.
  const std::string pieces =
      item(item_start, "") + item(item_start, "\xff\x4f\xff\x51\xff\xff\xff\xff") + item(sequence_end, "");
  const std::string icon = number(0x00280010, 9) + element(0x7FE00010, "OB", pieces, -1);
  const std::string empty_thickness = element(0x00180050, "DS", "");
  const std::string open = item(item_start, icon, false) + item(item_end, "") + item(sequence_end, "");
  for (const std::string& sequence :
       {element(0x00880200, "SQ", item(item_start, icon)), element(0x00880200, "SQ", open, -1)})
    EXPECT_EQ(values(load(Stated{.after = empty_thickness + sequence, .pixels = words({1, 2, 3, 4, 5, 6})})),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(DicomKinds, DescriptionsOfFramesThatDoNotExistAreLeftOut) {
  const auto described = [](const std::string& slope) {
    return item(item_start, element(0x00289145, "SQ", item(item_start, element(0x00281053, "DS", slope))));
  };
  Stated stated{.after = element(0x52009230, "SQ", described("2") + described("3") + described("4")),
                .pixels = words({1, 2, 3, 4, 5, 6})};
  const io::Loaded volume = load(stated);
  EXPECT_EQ(values(volume), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_NE(volume.note.find("it has 1 frame and describes 3, of which the first belong to its pixels"),
            std::string::npos)
      << volume.note;
  stated.frames = "4";
  stated.pixels = words(std::vector<int>(24, 1));
  EXPECT_NE(failure(stated).find("it has 4 frames and describes 3"), std::string::npos) << failure(stated);
}

TEST_F(DicomKinds, FilesThatAreDeflatedAsAWholeAreRead) {
  const std::string dataset = Stated{.pixels = words({1, 2, 3, 4, 5, 6})}.dataset();
  std::string packed(dataset.size() + 100, '\0');
  z_stream stream{};
  ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string input = dataset;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ASSERT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  const std::string file = preamble("1.2.840.10008.1.2.1.99") + packed;
  EXPECT_EQ(values(load(file)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_NE(failure(file.substr(0, file.size() - 10)).find("truncated"), std::string::npos);
}

TEST_F(DicomKinds, ColoursSayWhatTheyAre) {
  const Stated palette{.photometric = "PALETTE COLOR", .pixels = words({1, 2, 3, 4, 5, 6})};
  EXPECT_NE(failure(palette).find("PALETTE COLOR with 1 samples, which are colours and no voxels"), std::string::npos)
      << failure(palette);
}

}  // namespace
}  // namespace threadscape
