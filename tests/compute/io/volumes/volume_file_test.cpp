// Tests that volumes are written to files and read back.

#include "compute/io/volumes/volume_file.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "compute/io/data_file.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/file_settings.h"
#include "compute/registry/registry.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

// The extents along x, z and y: a slice has width x height voxels, and slices are stacked along y.
constexpr std::int64_t width = 4, height = 3, depth = 5;
const Shape extents{Kind::volume, Element::f32, 1, width, height, depth};

HostArray ramp() {
  HostArray volume(extents);
  auto* values = reinterpret_cast<float*>(volume.data());
  for (int i = 0; i < extents.items(); ++i)
    values[i] = static_cast<float>(i);
  return volume;
}
std::vector<float> values_of(const HostArray& volume) {
  const auto* values = reinterpret_cast<const float*>(volume.data());
  return {values, values + volume.shape().items()};
}

class VolumeFile : public TestFolder {
 protected:
  HostArray load(const std::string& name) const { return io::load_data(path(name), extents, {}).pixels; }
  std::string failure(const std::string& name) const {
    try {
      (void)load(name);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  /// Writes a MetaImage file (.mha or .mhd) of 4 x 3 x 5 numbers. `change` is added to its header, and `numbers`
  /// numbers follow it.
  template <class T>
  void write_meta(const std::string& name, const std::string& type, const std::string& change = "",
                  std::int64_t numbers = extents.items()) const {
    std::string text =
        "ObjectType = Image\nNDims = 3\nDimSize = 4 3 5\nElementSpacing = 0.5 2 4\nElementType = " + type + "\n" +
        change + "ElementDataFile = LOCAL\n";
    for (std::int64_t i = 0; i < numbers; ++i) {
      const T value = static_cast<T>(i);
      text.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    write_bytes(path(name), text);
  }
};

TEST_F(VolumeFile, IsReadBackExactly) {
  const HostArray volume = ramp();
  for (const char* name : {"a.mhd", "b.raw"}) {
    io::save_data(path(name), volume.view(), {});
    const HostArray back = load(name);
    EXPECT_EQ(back.shape(), extents);
    EXPECT_EQ(values_of(back), values_of(volume)) << name;
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"a.mhd", "a.raw", "b.raw"}));
}

TEST_F(VolumeFile, ReadsEveryTypeOfNumber) {
  write_meta<std::uint8_t>("u8.mha", "MET_UCHAR");
  write_meta<std::uint16_t>("u16.mha", "MET_USHORT");
  write_meta<std::int16_t>("i16.mha", "MET_SHORT");
  write_meta<float>("f32.mha", "MET_FLOAT");
  write_meta<double>("f64.mha", "MET_DOUBLE");
  for (const char* name : {"u8.mha", "u16.mha", "i16.mha", "f32.mha", "f64.mha"})
    EXPECT_EQ(values_of(load(name)), values_of(ramp())) << name;
  const io::VolumeReader reader(path("u8.mha"), {});
  // The order is x, y, z; y is the last axis of the file.
  EXPECT_EQ(reader.spacing(), (std::array<double, 3>{0.5, 4, 2}));
}

TEST_F(VolumeFile, ReadsLayersOnDemand) {
  io::save_volume(path("a.mhd"), ramp().view());
  io::VolumeReader reader(path("a.mhd"), {});
  std::vector<float> layers(2 * width * height);
  reader.read(3, 5, layers.data());
  EXPECT_EQ(layers.front(), 36.0f);
  EXPECT_EQ(layers.back(), 59.0f);
  reader.read(0, 1, layers.data());
  EXPECT_EQ(layers.front(), 0.0f);
}

TEST_F(VolumeFile, TheLengthOfARawFileGivesTheTypeOfNumbers) {
  for (const int bytes : {1, 2, 4, 8}) {
    write_bytes(path("a.raw"), std::string(static_cast<std::size_t>(bytes * extents.items()), '\0'));
    EXPECT_EQ(values_of(load("a.raw")), std::vector<float>(60, 0.0f));
  }
  write_bytes(path("a.raw"), std::string(61, '\0'));
  EXPECT_NE(failure("a.raw").find("61 bytes are no 4 x 5 x 3 (x, y, z) voxels"), std::string::npos);
  write_bytes(path("a.raw"), std::string(180, '\0'));
  EXPECT_NE(failure("a.raw").find("3 bytes each"), std::string::npos);
}

TEST_F(VolumeFile, TheSourceProjectsFile) {
  io::DatHeader header;
  header.pixel = 85;
  header.theta = 90;
  header.alpha = 15;
  header.voxel = {100, 200, 300};
  header.count = {4, 5, 3};
  header.planes = {5, 6, 4};
  header.object_side = 420;
  header.detector_side = 850;
  header.detector_distance = 630;
  header.source_distance = 2520;
  io::save_dat(path("a.dat"), header, ramp().view());
  const std::string bytes = read_bytes(path("a.dat"));
  ASSERT_EQ(bytes.size(), 24u + 16 + 60 * 8);
  double last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 8, 8);
  EXPECT_EQ(last, 59.0);
  const io::VolumeReader reader(path("a.dat"), {});
  EXPECT_EQ(reader.dat(), header);
  EXPECT_EQ(reader.spacing(), (std::array<double, 3>{100, 200, 300}));
  EXPECT_EQ(values_of(load("a.dat")), values_of(ramp()));
  write_bytes(path("short.dat"), bytes.substr(0, 30));
  EXPECT_NE(failure("short.dat").find("shorter than its header"), std::string::npos);
  write_bytes(path("cut.dat"), bytes.substr(0, 400));
  EXPECT_NE(failure("cut.dat").find("ask for 480 bytes of numbers, 'cut.dat' has 360"), std::string::npos);
}

TEST_F(VolumeFile, TheSourceProjectsFileStatesTheScan) {
  FileNotes notes{.spacing = {100, 200, 300}};
  notes.scan = {
      .pixel = 85, .detector_side = 850, .detector_distance = 630, .source_distance = 2520, .arc = 90, .step = 15};
  io::save_data(path("scan.dat"), ramp().view(), {.colour = {}, .notes = notes});
  const io::VolumeReader reader(path("scan.dat"), {});
  const io::DatHeader wanted{.pixel = 85,
                             .theta = 90,
                             .alpha = 15,
                             .voxel = {100, 200, 300},
                             .count = {4, 5, 3},
                             .planes = {5, 6, 4},
                             .object_side = 400,
                             .detector_side = 850,
                             .detector_distance = 630,
                             .source_distance = 2520};
  EXPECT_EQ(reader.dat(), wanted);
  EXPECT_EQ(values_of(load("scan.dat")), values_of(ramp()));
  notes.spacing = {0.5, 1, 1};
  EXPECT_THROW(io::save_data(path("half.dat"), ramp().view(), {.colour = {}, .notes = notes}), UsageError);
}

TEST_F(VolumeFile, PicturesAreLayers) {
  HostArray picture(Shape::image(Element::u8, 1, width, height));
  for (int y = 0; y < depth; ++y) {
    for (int z = 0; z < height; ++z)
      for (int x = 0; x < width; ++x)
        picture.image<std::uint8_t>()(x, z) = static_cast<std::uint8_t>(x + width * (z + height * y));
    std::filesystem::create_directories(path("stack"));
    io::save_picture(path("stack/s" + std::to_string(y) + ".png"), picture.view(), io::FileColour::grey);
    io::save_picture(path("n00" + std::to_string(y + 1) + ".pgm"), picture.view(), io::FileColour::grey);
  }
  EXPECT_EQ(values_of(load("stack")), values_of(ramp()));
  EXPECT_EQ(values_of(load("n%03d.pgm")), values_of(ramp()));
  io::save_picture(path("stack/s9.png"), HostArray(Shape::image(Element::u8, 1, 2, 2)).view(), io::FileColour::grey);
  EXPECT_NE(failure("stack").find("'s9.png' is 2 x 2, the first picture 4 x 3"), std::string::npos);
  EXPECT_NE(failure("m%03d.pgm").find("there are no pictures"), std::string::npos);
}

TEST_F(VolumeFile, WrongHeadersAreRefused) {
  write_meta<float>("short.mha", "MET_FLOAT", "", 59);
  EXPECT_NE(failure("short.mha").find("ask for 240 bytes of numbers, 'short.mha' has 236"), std::string::npos);
  write_meta<float>("type.mha", "MET_STRING");
  EXPECT_NE(failure("type.mha").find("ElementType = MET_STRING: integers of 8 to 64 bits"), std::string::npos);
  write_meta<float>("spacing.mha", "MET_FLOAT", "ElementSpacing = 1 0 1\n");
  EXPECT_NE(failure("spacing.mha").find("three lengths"), std::string::npos);
  for (const char* spacing : {"1e300 1 1", "1 1e-300 1", "1 1 nan", "inf 1 1", "1 1 -1", "1e-7 1 1", "1 1e7 1"}) {
    write_meta<float>("spacing.mha", "MET_FLOAT", std::string("ElementSpacing = ") + spacing + "\n");
    EXPECT_NE(failure("spacing.mha").find("three lengths"), std::string::npos) << spacing;
  }
  write_bytes(path("text.mhd"), "hello");
  EXPECT_NE(failure("text.mhd").find("it is no MetaImage"), std::string::npos);
  write_bytes(path("huge.mhd"),
              "DimSize = 9999999 9999999 9999999\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n");
  EXPECT_NE(failure("huge.mhd").find("--limit voxels=N"), std::string::npos);
  EXPECT_NE(failure("none.mhd").find("no such file"), std::string::npos);
  write_bytes(path("a.txt"), "x");
  EXPECT_NE(failure("a.txt").find("volumes are read from"), std::string::npos);
}

TEST_F(VolumeFile, PicturesOfViews) {
  const HostArray volume = ramp();
  io::save_volume(path("v.png"), volume.view());
  EXPECT_EQ(names().size(), 5u);
  const HostArray last = io::load_picture(path("v_0004.png")).pixels;
  EXPECT_EQ(last.image<std::uint16_t>()(3, 2), 65535);
  HostArray rows({Kind::volume, Element::f32, 1, 4, 1, 3});
  std::copy_n(reinterpret_cast<const float*>(volume.data()), 12, reinterpret_cast<float*>(rows.data()));
  io::save_volume(path("sinogram.png"), rows.view());
  EXPECT_EQ(io::load_picture(path("sinogram.png")).pixels.shape().height, 3);
  io::save_volume(path("v.pgm"), volume.view(), {.titles = {"-45", "-30", "slice"}});
  const std::string text = read_bytes(path("v.pgm"));
  EXPECT_EQ(text.substr(0, 45), "P2\n4 15\n255\n#-45.000000\n0 4 8 12\n17 21 25 30\n");
  EXPECT_NE(text.find("\n#-30.000000\n"), std::string::npos);
  EXPECT_NE(text.find("\n#slice\n"), std::string::npos);
  EXPECT_NE(text.find("\n#4\n"), std::string::npos);
  EXPECT_THROW(io::save_volume(path("v.jpg"), volume.view()), UsageError);
}

/// The parameters that the settings of a file assign to the defaults of an algorithm, as text.
std::string told(const char* algorithm, const std::filesystem::path& file) {
  const AlgorithmInfo& info = find_algorithm(algorithm);
  ParamBox params = info.defaults();
  return apply_settings(info, io::load_data(file, extents, {}).settings, params);
}

TEST_F(VolumeFile, StatesTheSizeOfVoxels) {
  write_meta<float>("object.mhd", "MET_FLOAT");  // The spacing is 0.5, 2 and 4 along x, z and y.
  EXPECT_EQ(told("projection", path("object.mhd")),
            "phantom = file, voxel_size = 0.5, voxel_size_y = 4, voxel_size_z = 2");
  // If the file is read as projections, the spacing along x is the size of a detector pixel.
  EXPECT_EQ(told("reconstruction", path("object.mhd")), "phantom = file, pixel_size = 0.5");
  io::save_data(path("numbers.raw"), ramp().view(), {});
  EXPECT_EQ(told("projection", path("numbers.raw")), "phantom = file");
  EXPECT_EQ(told("sobel", path("object.mhd")), "");
}

TEST_F(VolumeFile, StatesTheGeometryOfViews) {
  const FileNotes notes{.bits = 0, .spacing = {0.25, 15, 0.25}, .titles = {"-30", "-15", "0", "15", "30"}};
  io::save_data(path("views.mhd"), ramp().view(), {.colour = {}, .notes = notes});
  EXPECT_EQ(told("reconstruction", path("views.mhd")), "phantom = file, pixel_size = 0.25, step = 15, arc = 60");
  EXPECT_EQ(told("projection", path("views.mhd")), "phantom = file");
  const FileNotes round{.bits = 0, .spacing = {1, 72, 1}, .titles = {"-180", "-108", "-36", "36", "108"}};
  io::save_data(path("round.mhd"), ramp().view(), {.colour = {}, .notes = round});
  EXPECT_EQ(told("reconstruction", path("round.mhd")), "phantom = file, pixel_size = 1, step = 72, arc = 360");
}

TEST_F(VolumeFile, DatStatesItsGeometry) {
  const io::DatHeader header{.pixel = 85,
                             .theta = 90,
                             .alpha = 15,
                             .voxel = {100, 100, 100},
                             .count = {4, 5, 3},
                             .planes = {5, 6, 4},
                             .object_side = 400,
                             .detector_side = 850,
                             .detector_distance = 600,
                             .source_distance = 2400};
  io::save_dat(path("own.dat"), header, ramp().view());
  EXPECT_EQ(told("projection", path("own.dat")),
            "phantom = file, geometry = cone, pixel_size = 85, arc = 90, step = 15, source_distance = 2400, "
            "detector_distance = 600, detector_pixels = 10, offset_u = -0.5, offset_v = -0.5, voxel_size = 100, "
            "voxel_size_y = 100, voxel_size_z = 100");
}

}  // namespace
}  // namespace threadscape::testing
