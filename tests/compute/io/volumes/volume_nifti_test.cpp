// Tests that volumes in NIfTI files are read as another program has written them, survive a round trip, and are refused
// where they are damaged or claim more than they hold.

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/io/data_file.h"
#include "compute/io/volumes/nifti_header.h"
#include "compute/io/volumes/volume_file.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using nlohmann::json;

class VolumeNifti : public TestFolder {
 protected:
  /// The message of the error that reading a file with these bytes gives; "" if it is read.
  std::string failure(const std::string& name, const std::string& bytes) const {
    write_bytes(path(name), bytes);
    try {
      (void)io::load_volume(path(name), {}, {});
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  /// The bytes of a single file of version 1 with eight voxels, changed at an offset.
  template <class T>
  static std::string changed(std::size_t offset, T value) {
    std::string bytes =
        io::nifti_header_text({Kind::volume, Element::f32, 1, 2, 2, 2}, {1, 1, 1}) + std::string(32, 'x');
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return bytes;
  }
};

TEST_F(VolumeNifti, OfNibabelAreReadAsItReadsThem) {
  const json reference = json::parse(read_bytes(test_dir() + "/data/nifti.json"))["cases"];
  ASSERT_GT(reference.size(), 30U);
  for (const json& wanted : reference) {
    const auto name = wanted["name"].get<std::string>();
    const std::string bytes = from_hex(wanted["file"].get<std::string>());
    write_bytes(path(name), bytes);
    if (wanted.contains("numbers"))
      write_bytes(path(name.substr(0, name.size() - 4) + ".img"), from_hex(wanted["numbers"].get<std::string>()));
    io::Loaded volume;
    ASSERT_NO_THROW(volume = io::load_volume(path(name), {}, {})) << name;
    const auto extents = wanted["extents"].get<std::array<std::int64_t, 3>>();
    EXPECT_EQ(volume.pixels.shape(), (Shape{Kind::volume, Element::f32, 1, extents[0], extents[1], extents[2]}))
        << name;
    EXPECT_EQ(floats_of(volume.pixels), wanted["values"].get<std::vector<double>>()) << name;
    const io::VolumeReader reader(path(name), {});
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_DOUBLE_EQ(reader.spacing()[axis], wanted["spacing"][axis].get<double>()) << name;
    const auto note = wanted["note"].get<std::string>();
    EXPECT_EQ(volume.note, note.empty() ? "" : "'" + path(name).string() + "' " + note);
  }
}

TEST_F(VolumeNifti, CutAndDamagedFilesEndInOneLine) {
  const json reference = json::parse(read_bytes(test_dir() + "/data/nifti.json"))["cases"];
  for (const json& wanted : reference) {
    const auto name = wanted["name"].get<std::string>();
    const std::string bytes = from_hex(wanted["file"].get<std::string>());
    if (wanted.contains("numbers")) {
      const std::string numbers = from_hex(wanted["numbers"].get<std::string>());
      write_bytes(path("cut" + name.substr(0, name.size() - 4) + ".img"), numbers.substr(1));
      EXPECT_NE(failure("cut" + name, bytes).find("bytes of numbers"), std::string::npos);
    }
    for (std::size_t length = 0; length < wanted["needed"].get<std::size_t>(); ++length) {
      const std::string why = failure("cut" + name, bytes.substr(0, length));
      EXPECT_NE(why, "") << name << " cut to " << length << " bytes";
      EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    }
    for (std::size_t at = 0; at < std::min<std::size_t>(bytes.size(), 352); ++at) {
      std::string bad = bytes;
      bad[at] = static_cast<char>(bad[at] ^ 0xFF);
      (void)failure("bad" + name, bad);  // It need not be noticed, but must not crash.
    }
  }
}

TEST_F(VolumeNifti, SurviveARoundTrip) {
  HostArray volume({Kind::volume, Element::f32, 1, 6, 4, 3});
  auto* values = reinterpret_cast<float*>(volume.data());
  for (int i = 0; i < 6 * 4 * 3; ++i)
    values[i] = static_cast<float>(i) * 0.1f - 3.0f;
  for (const std::string name : {"a.nii", "b.nii.gz"}) {
    io::save_volume(path(name), volume.view(), {.spacing = {0.7, 2.0, 3.0}});
    const io::Loaded back = io::load_volume(path(name), {}, {});
    EXPECT_EQ(back.pixels.shape(), volume.shape()) << name;
    EXPECT_EQ(floats_of(back.pixels), floats_of(volume)) << name;
    EXPECT_EQ(io::VolumeReader(path(name), {}).spacing(), (std::array<double, 3>{0.7, 2.0, 3.0})) << name;
  }
  EXPECT_LT(std::filesystem::file_size(path("b.nii.gz")), std::filesystem::file_size(path("a.nii")));
}

TEST_F(VolumeNifti, LongSidesAreWrittenInTheSecondVersion) {
  HostArray volume({Kind::volume, Element::f32, 1, 40000, 1, 2});
  auto* values = reinterpret_cast<float*>(volume.data());
  for (int i = 0; i < 80000; ++i)
    values[i] = static_cast<float>(i);
  io::save_volume(path("long.nii"), volume.view(), {.spacing = {0.1, 0.2, 0.3}});
  EXPECT_EQ(std::filesystem::file_size(path("long.nii")), 544U + 320000U);
  EXPECT_EQ(floats_of(io::load_volume(path("long.nii"), {}, {}).pixels), floats_of(volume));
  EXPECT_EQ(io::VolumeReader(path("long.nii"), {}).spacing(), (std::array<double, 3>{0.1, 0.2, 0.3}));
}

TEST_F(VolumeNifti, WhatIsNotReadIsNamed) {
  const auto names = [this](const std::string& bytes, const std::string& why) {
    const std::string message = failure("a.nii", bytes);
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  EXPECT_EQ(failure("a.nii", changed(348, 0)), "");
  EXPECT_EQ(failure("a.nii", changed(108, 0.0f)), "") << "the numbers follow the header";
  names(changed(0, 347), "neither 348 nor 540");
  names(changed(344, 0), "of ANALYZE");
  names(changed(70, std::int16_t{128}), "datatype is 128: integers and floats of 8 to 64 bits are read");
  names(changed(72, std::int16_t{8}), "has 32 bits, its bitpix is 8");
  names(changed(40, std::int16_t{0}), "number of dimensions is 0");
  names(changed(40, std::int16_t{8}), "number of dimensions is 8");
  names(changed(42, std::int16_t{-2}), "extents are -2 x 2 x 2");
  names(changed(42, std::int16_t{3}), "ask for 48 bytes of numbers, the file has 32");
  names(changed(108, 100.0f), "vox_offset is 100");
  names(changed(108, 352.5f), "vox_offset is 352.5");
  names(changed(108, 1e30f), "from 348 on is wanted");
  names(changed(80, 1e9f), "from 1e-6 to 1e6");
  std::string fourth = changed(40, std::int16_t{4});
  fourth[48] = 0;
  names(fourth, "extent 4 is below 1");
  // A pair without its numbers, and one whose numbers are elsewhere.
  const std::string pair = changed(344, *reinterpret_cast<const std::int32_t*>("ni1"));
  EXPECT_NE(failure("lonely.hdr", pair).find("lonely.img', cannot be read"), std::string::npos);
  write_bytes(path("outside.raw"), std::string(400, 'x'));
  std::filesystem::create_directory(path("inside"));
  std::filesystem::create_symlink("../outside.raw", path("inside/linked.img"));
  const std::string outside = failure("inside/linked.hdr", pair);
  EXPECT_NE(outside.find("--allow-outside"), std::string::npos) << "the message is: " << outside;
}

TEST_F(VolumeNifti, SmallFilesThatClaimMuchTakeNoMemory) {
  // 8192^3 floats are 2^41 bytes.
  std::string huge = changed(42, std::int16_t{8192}) + std::string(300, 'x');
  for (const std::size_t offset : {44U, 46U})
    huge[offset] = 0, huge[offset + 1] = 32;
  EXPECT_NE(failure("huge.nii", huge).find("bytes of numbers"), std::string::npos);
  // A stored block of Deflate holds the header as it is.
  std::string stored("\x1f\x8b\x08\0\0\0\0\0\0\3\1", 11);
  const auto length = static_cast<std::uint16_t>(huge.size());
  for (const std::uint16_t word : {length, static_cast<std::uint16_t>(~length)})
    stored.append(reinterpret_cast<const char*>(&word), sizeof word);
  EXPECT_NE(failure("huge.nii.gz", stored + huge).find("it is truncated"), std::string::npos);
  const ScopedLimit limit(io::Limit::voxels, 1000);
  EXPECT_NE(failure("huge.nii.gz", stored + huge).find("--limit voxels=N"), std::string::npos);
}

}  // namespace
}  // namespace threadscape
