// Tests that volumes in NRRD files and NumPy arrays are read as other programs have written them, survive a round trip,
// and are refused where they are damaged.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/io/data_file.h"
#include "compute/io/volumes/volume_file.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using nlohmann::json;

class VolumeArrays : public TestFolder {
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
};

TEST_F(VolumeArrays, OfOtherProgramsAreReadAsTheyWereWritten) {
  const json reference = json::parse(read_bytes(test_dir() + "/data/volumes.json"))["cases"];
  for (const json& wanted : reference) {
    const auto name = wanted["name"].get<std::string>();
    const std::string bytes = from_hex(wanted["file"].get<std::string>());
    write_bytes(path(name), bytes);
    io::Loaded volume;
    ASSERT_NO_THROW(volume = io::load_volume(path(name), {}, {})) << name;
    EXPECT_EQ(volume.pixels.shape(), (Shape{Kind::volume, Element::f32, 1, 5, 3, 4})) << name;
    EXPECT_EQ(floats_of(volume.pixels), wanted["values"].get<std::vector<double>>()) << name;
    EXPECT_EQ(io::VolumeReader(path(name), {}).spacing(), (wanted["spacing"].get<std::array<double, 3>>())) << name;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // The last bytes of gzip repeat the length of the data.
      EXPECT_NE(failure("cut" + name, bytes.substr(0, length)), "") << name << " cut to " << length << " bytes";
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string bad = bytes;
      bad[at] = static_cast<char>(bad[at] ^ 0xFF);
      (void)failure("bad" + name, bad);  // It need not be noticed, but must not crash.
    }
  }
}

TEST_F(VolumeArrays, OfArchivesAreReadAndSaidToBeTheFirst) {
  // Pictures of RGB are arrays with three indices, which a volume has, too.
  const json reference = json::parse(read_bytes(test_dir() + "/data/pictures.json"))["cases"];
  for (const json& wanted : reference) {
    const auto name = wanted["name"].get<std::string>();
    if (!name.ends_with(".npz")) continue;
    std::vector<double> colours;  // The reference adds an alpha to every pixel.
    const auto values = wanted["values"].get<std::vector<double>>();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i % 4 != 3) colours.push_back(values[i]);
    write_bytes(path(name), from_hex(wanted["file"].get<std::string>()));
    const io::Loaded volume = io::load_volume(path(name), {}, {});
    EXPECT_EQ(volume.pixels.shape(), (Shape{Kind::volume, Element::f32, 1, 3, 11, 7})) << name;
    EXPECT_EQ(floats_of(volume.pixels), colours) << name;
    EXPECT_NE(volume.note.find("it has 2 arrays, of which the first is read"), std::string::npos) << volume.note;
  }
}

TEST_F(VolumeArrays, SurviveARoundTrip) {
  HostArray volume({Kind::volume, Element::f32, 1, 6, 4, 3});
  auto* values = reinterpret_cast<float*>(volume.data());
  for (int i = 0; i < 6 * 4 * 3; ++i)
    values[i] = static_cast<float>(i) * 0.1f - 3.0f;
  for (const std::string name : {"a.nrrd", "a.npy"}) {
    io::save_volume(path(name), volume.view(), {.spacing = {0.5, 2.0, 3.0}});
    const io::Loaded back = io::load_volume(path(name), {}, {});
    EXPECT_EQ(back.pixels.shape(), volume.shape()) << name;
    EXPECT_EQ(floats_of(back.pixels), floats_of(volume)) << name;
  }
  EXPECT_EQ(io::VolumeReader(path("a.nrrd"), {}).spacing(), (std::array<double, 3>{0.5, 2.0, 3.0}));
}

TEST_F(VolumeArrays, WhatIsNotReadIsNamed) {
  const auto nrrd = [](const std::string& fields) { return "NRRD0004\n" + fields + "\n\n"; };
  const std::string sizes = "dimension: 3\nsizes: 2 2 2\nencoding: raw\nendian: little\n";
  EXPECT_NE(failure("a.nrrd", nrrd("type: block\n" + sizes)).find("type is 'block'"), std::string::npos);
  EXPECT_NE(failure("b.nrrd", nrrd("type: float\ndimension: 1\nsizes: 2\n")).find("dimension is 1"), std::string::npos);
  EXPECT_NE(failure("c.nrrd", nrrd("type: float\nendian: mixed\ndimension: 3\nsizes: 2 2 2")).find("endian is 'mixed'"),
            std::string::npos);
  EXPECT_NE(failure("d.nrrd", nrrd("type: float\ndata file: ../x.raw\n" + sizes)).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(failure("e.nrrd", nrrd("type: uchar\nencoding: hex\ndimension: 3\nsizes: 2 2 2")).find("'hex'"),
            std::string::npos);
  EXPECT_NE(failure("k.nrrd", nrrd("type: uchar\nkinds: RGB-color domain domain\n" + sizes))
                .find("each voxel has 2 values of the kind 'RGB-color'"),
            std::string::npos);
  EXPECT_NE(failure("f.nrrd", nrrd("type: float\nspacings: 1 1 -2\n" + sizes)).find("from 1e-6 to 1e6"),
            std::string::npos);
  // A small file that claims much: 10^15 voxels, and 4 GB of zeros.
  EXPECT_NE(failure("g.nrrd", nrrd("type: float\nencoding: gzip\ndimension: 3\nsizes: 100000 100000 100000"))
                .find("--limit voxels=N"),
            std::string::npos);
  EXPECT_NE(failure("h.nrrd", nrrd("type: float\nencoding: gzip\ndimension: 3\nsizes: 1000 1000 1000")), "");
}

}  // namespace
}  // namespace threadscape
