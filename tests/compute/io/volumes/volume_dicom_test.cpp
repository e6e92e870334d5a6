// Tests that the series of DICOM files that another program has written become the volumes that they are of, that what
// is missing or left out is told in one line, and that damaged files are refused.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/io/data_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/volumes/dicom_decode.h"
#include "compute/io/volumes/dicom_header.h"
#include "compute/io/volumes/volume_file.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// What reading a folder or a file gives.
struct Outcome {
  std::string failure;
  io::Loaded volume;
};
Outcome outcome_of(const fs::path& path) {
  try {
    return {"", io::load_volume(path, {}, {})};
  } catch (const EnvironmentError& error) {
    return {error.what(), {}};
  }
}

class VolumeDicom : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    cases_ = json::parse(read_bytes(test_dir() + "/data/dicom.json"))["cases"].get<std::vector<json>>();
  }
  /// Writes the files of a case into a folder of its name, whose path is returned.
  [[nodiscard]] fs::path write_case(const json& wanted) const {
    fs::path folder = path(wanted["name"].get<std::string>());
    fs::create_directories(folder);
    for (const auto& [name, content] : wanted["files"].items())
      write_bytes(folder / name, from_hex(content.get<std::string>()));
    return folder;
  }
  [[nodiscard]] const json& named(const std::string& name) const {
    for (const json& wanted : cases_)
      if (wanted["name"] == name) return wanted;
    throw std::runtime_error("no case " + name);
  }
  /// Builds without DCMTK refuse JPEG, those without CharLS JPEG-LS, and those without OpenJPEG JPEG 2000.
  static bool is_decoded(const json& wanted) {
    const auto name = wanted["name"].get<std::string>();
    const char* const of_kind = name.starts_with("jpeg_ls") ? "80" : name.starts_with("jpeg_2000") ? "90" : "50";
    return !name.starts_with("jpeg") || io::dicom_refusal(std::string("1.2.840.10008.1.2.4.") + of_kind).empty();
  }

  std::vector<json> cases_;
};

void expect_volume(const io::Loaded& volume, const json& wanted) {
  const auto extents = wanted["extents"].get<std::array<std::int64_t, 3>>();
  ASSERT_EQ(volume.pixels.shape(), (Shape{Kind::volume, Element::f32, 1, extents[0], extents[1], extents[2]}));
  const auto values = wanted["values"].get<std::vector<double>>();
  const auto* const got = reinterpret_cast<const float*>(volume.pixels.data());
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(static_cast<double>(got[i]), values[i], wanted["tolerance"].get<double>()) << "voxel " << i;
}

TEST_F(VolumeDicom, SeriesOfPydicomAreReadFromTheirFolder) {
  ASSERT_GT(cases_.size(), 25U);
  for (const json& wanted : cases_) {
    SCOPED_TRACE(wanted["name"].get<std::string>());
    const fs::path folder = write_case(wanted);
    const Outcome outcome = outcome_of(folder);
    if (!is_decoded(wanted)) {
      EXPECT_NE(outcome.failure.find("is read by builds with"), std::string::npos) << outcome.failure;
      continue;
    }
    const auto refusal = wanted["refusal"].get<std::string>();
    if (!refusal.empty()) {
      EXPECT_NE(outcome.failure.find(refusal), std::string::npos) << outcome.failure;
      continue;
    }
    ASSERT_EQ(outcome.failure, "");
    expect_volume(outcome.volume, wanted);
    const auto note = wanted["note"].get<std::string>();
    EXPECT_EQ(outcome.volume.note, note.empty() ? "" : "'" + folder.string() + "': " + note);
    const io::VolumeReader reader(folder, {});
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(reader.spacing()[axis], wanted["spacing"][axis].get<double>(), 1e-9);
  }
}

TEST_F(VolumeDicom, EachFileOfASeriesOpensAllOfIt) {
  for (const char* name : {"ct", "implicit", "enhanced", "report"}) {
    SCOPED_TRACE(name);
    const json& wanted = named(name);
    const fs::path folder = write_case(wanted);
    for (const auto& [file, content] : wanted["files"].items()) {
      if (file == "report" || file == "notes.txt") continue;
      const Outcome outcome = outcome_of(folder / file);
      ASSERT_EQ(outcome.failure, "") << file;
      expect_volume(outcome.volume, wanted);
    }
  }
  // Of two series in a folder, a file opens its own.
  const fs::path folder = write_case(named("two_series"));
  EXPECT_EQ(outcome_of(folder / "IM01").failure, "");
  EXPECT_EQ(outcome_of(folder / "IM01").volume.pixels.shape().depth, 3);
  EXPECT_EQ(outcome_of(folder / "other01").volume.pixels.shape().depth, 2);
  EXPECT_NE(outcome_of(write_case(named("report")) / "report").failure.find("it has no pixels"), std::string::npos);
}

TEST_F(VolumeDicom, TheSpacingIsToldToTomography) {
  const io::Loaded volume = outcome_of(write_case(named("ct"))).volume;
  const io::Settings wanted{{"phantom", "file"},
                            {"voxels.voxel_size", "0.5"},
                            {"voxels.voxel_size_y", "2.5"},
                            {"voxels.voxel_size_z", "0.7"},
                            {"views.pixel_size", "0.5"}};
  EXPECT_EQ(volume.settings, wanted);
}

TEST_F(VolumeDicom, FoldersWithoutDicomAreStacksOfPictures) {
  fs::create_directories(path("stack"));
  for (const char* name : {"a.pgm", "b.pgm"})
    write_bytes(path("stack") / name, "P2\n2 1\n255\n3 4\n");
  EXPECT_EQ(outcome_of(path("stack")).volume.pixels.shape().depth, 2);
  write_bytes(path("stack") / "notes", "DICM is not where it should be");
  EXPECT_EQ(outcome_of(path("stack")).volume.pixels.shape().depth, 2);
  fs::create_directories(path("empty"));
  EXPECT_NE(outcome_of(path("empty")).failure.find("there are neither pictures nor DICOM files in it"),
            std::string::npos);
}

TEST_F(VolumeDicom, CutAndDamagedFilesEndInOneLine) {
  for (const char* name :
       {"ct", "implicit", "big_endian", "enhanced", "rle", "jpeg", "jpeg_lossless", "jpeg_ls", "jpeg_2000"}) {
    const json& wanted = named(name);
    if (!is_decoded(wanted)) continue;
    const std::string bytes = from_hex(wanted["files"].begin().value().get<std::string>());
    fs::create_directories(path(name));
    const fs::path file = path(name) / "one";
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      write_bytes(file, bytes.substr(0, length));
      const std::string why = outcome_of(file).failure;
      EXPECT_NE(why, "") << name << " cut to " << length << " bytes";
      EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    }
    for (std::size_t at = 128; at < bytes.size(); ++at) {
      std::string bad = bytes;
      bad[at] = static_cast<char>(bad[at] ^ 0xFF);
      write_bytes(file, bad);
      (void)outcome_of(file);  // It need not be noticed, but must not crash.
    }
  }
}

TEST_F(VolumeDicom, RunLengthsThatCannotFillTheirFramesAreRefusedByTheHeader) {
  std::string bytes = from_hex(named("rle")["files"].begin().value().get<std::string>());
  const fs::path file = path("one");
  write_bytes(file, bytes);
  ASSERT_TRUE(io::read_dicom_header(file));
  for (const char tag : {'\x10', '\x11'}) {  // rows and columns
    const std::size_t at = bytes.find(std::string{'\x28', '\0', tag, '\0', 'U', 'S', '\2', '\0'});
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at + 8, 2, "\xff\x7f");
  }
  write_bytes(file, bytes);
  try {
    (void)io::read_dicom_header(file);
    FAIL() << "2 GiB of voxels come from " << bytes.size() << " bytes";
  } catch (const io::DecodeFailure& failure) {
    EXPECT_EQ(failure.cause, "its compressed pixels are truncated");
  }
}

/// An element whose length is stored in four bytes, for example of the type SQ.
std::string long_element(std::uint32_t tag, const char* type, std::uint32_t length) {
  std::string element;
  const auto put = [&](auto value) { element.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(static_cast<std::uint16_t>(tag >> 16));
  put(static_cast<std::uint16_t>(tag & 0xFFFF));
  if (type != nullptr) {
    element.append(type, 2);
    put(std::uint16_t{0});
  }
  put(length);
  return element;
}

std::string beginning(const std::string& syntax) {
  std::string text = std::string(128, '\0') + "DICM";
  const std::string padded = syntax + std::string(syntax.size() % 2, '\0');
  text += std::string("\x02\0\x10\0UI", 6) + static_cast<char>(padded.size()) + '\0' + padded;
  return text;
}

TEST_F(VolumeDicom, SmallFilesThatClaimMuchAreRefused) {
  const auto why = [this](const std::string& name, const std::string& bytes) {
    write_bytes(path(name), bytes);
    return outcome_of(path(name)).failure;
  };
  const std::string explicit_types = beginning("1.2.840.10008.1.2.1"), implicit = beginning("1.2.840.10008.1.2");
  // Each level of nested sequences takes stack in readers that follow them by recursion.
  std::string nested = explicit_types;
  for (int i = 0; i < 100000; ++i)
    nested += long_element(0x00081140, "SQ", 0xFFFFFFFF) + long_element(0xFFFEE000, nullptr, 0xFFFFFFFF);
  EXPECT_NE(why("nested", nested).find("nested more than 32 deep"), std::string::npos);
  EXPECT_NE(why("long", explicit_types + long_element(0x00081140, "UN", 0xFFFFFFF0)).find("truncated"),
            std::string::npos);
  EXPECT_NE(why("deflated", beginning("1.2.840.10008.1.2.1.99")).find("truncated"), std::string::npos);
  EXPECT_NE(why("zeros", implicit + std::string((std::size_t{1} << 25) + 800, '\0')).find("more than 4194304 elements"),
            std::string::npos);
  EXPECT_NE(why("text.dcm", "no DICOM").find("it is no DICOM file"), std::string::npos);
  const ScopedLimit limit(io::Limit::frames, 3);
  const fs::path four = write_case(named("ct")), three = write_case(named("enhanced"));
  EXPECT_NE(outcome_of(four).failure.find("--limit frames=N"), std::string::npos);
  EXPECT_EQ(outcome_of(three).failure, "");
  const ScopedLimit fewer(io::Limit::frames, 2);
  EXPECT_NE(outcome_of(three).failure.find("it has 3 frames; the limit is 2"), std::string::npos);
}

TEST_F(VolumeDicom, CompressedPixelsOfAnotherSizeOrWithoutAFrameAreRefused) {
  for (const char* name : {"jpeg", "jpeg_lossless", "jpeg_ls", "jpeg_2000"}) {
    const json& wanted = named(name);
    if (!is_decoded(wanted)) continue;
    std::string bytes = from_hex(wanted["files"].begin().value().get<std::string>());
    // Rows, (0028,0010), with the type US and the length 2.
    const std::size_t rows = bytes.find(std::string("\x28\0\x10\0US\2\0", 8));
    ASSERT_NE(rows, std::string::npos);
    bytes.replace(rows + 8, 2, "\xff\xff");
    fs::create_directories(path(name));
    write_bytes(path(name) / "one", bytes);
    const std::string why = outcome_of(path(name)).failure;
    EXPECT_NE(why.find("compressed pixels are 6 x 4 with 1 channels, its header states 6 x 65535"), std::string::npos)
        << why;
    if (wanted["name"] != "jpeg" && wanted["name"] != "jpeg_lossless") continue;
    // A marker without a segment before the frame, at which a decoder may search without end.
    bytes = from_hex(wanted["files"].begin().value().get<std::string>());
    const std::size_t image = bytes.rfind("\xff\xd8\xff");
    ASSERT_NE(image, std::string::npos);
    bytes.replace(image + 2, 2, "\xff\x01");
    write_bytes(path(name) / "one", bytes);
    EXPECT_NE(outcome_of(path(name)).failure.find("they do not describe a frame"), std::string::npos);
  }
}

TEST_F(VolumeDicom, GridsOfManyTilesAreRefused) {
  const json& wanted = named("jpeg_2000_lossy");
  if (!is_decoded(wanted)) GTEST_SKIP() << "this build has no OpenJPEG";
  std::string bytes = from_hex(wanted["files"].begin().value().get<std::string>());
  const std::size_t start = bytes.find("\xff\x4f\xff\x51");
  ASSERT_NE(start, std::string::npos);
  // The grid of tiles stands behind both markers, the length, the capabilities and the four numbers of the frame.
  bytes.replace(start + 24, 8, std::string("\0\0\0\1\0\0\0\1", 8));
  bytes.replace(start + 8, 8, std::string("\0\0\1\0\0\0\1\0", 8));
  fs::create_directories(path("tiles"));
  write_bytes(path("tiles") / "one", bytes);
  EXPECT_NE(outcome_of(path("tiles")).failure.find("65536 tiles, up to 4096 are decoded"), std::string::npos);
}

}  // namespace
}  // namespace threadscape
