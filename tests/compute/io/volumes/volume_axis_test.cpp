// Tests that volumes turn about the axis that is asked for, and that Hounsfield units become attenuation.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "compute/io/volumes/nifti_header.h"
#include "compute/io/volumes/volume_file.h"
#include "compute/io/volumes/water_attenuation.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

using io::VolumeAxis;
using nlohmann::json;

class VolumeAxes : public TestFolder {
 protected:
  /// A file of the voxels 0, 1, ... 23, 2 x 3 x 4 in the order of its axes, with the sides 0.5, 2 and 3.
  [[nodiscard]] std::filesystem::path write(const std::string& name, std::string header = {}) const {
    if (header.empty()) header = io::nifti_header_text(shape, {0.5, 2, 3});
    std::array<float, 24> voxels{};
    std::iota(voxels.begin(), voxels.end(), 0.0f);
    header.append(reinterpret_cast<const char*>(voxels.data()), sizeof voxels);
    write_bytes(path(name), header);
    return path(name);
  }
  static std::string message(const std::filesystem::path& path, VolumeAxis axis) {
    try {
      (void)io::load_volume(path, {}, {.volume = {.axis = axis}});
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }

  static constexpr Shape shape{Kind::volume, Element::f32, 1, 2, 3, 4};
};

TEST_F(VolumeAxes, BecomeZ) {
  const auto file = write("voxels.nii");
  io::VolumeReader second(file, {});
  EXPECT_EQ(second.shape(), shape);
  io::VolumeReader third(file, {}, {.volume = {.axis = VolumeAxis::third}});
  EXPECT_EQ(third.shape(), (Shape{Kind::volume, Element::f32, 1, 2, 4, 3}));
  EXPECT_EQ(third.spacing(), (std::array{0.5, 2.0, 3.0}));
  EXPECT_EQ(
      floats_of(io::load_volume(file, {}, {.volume = {.axis = VolumeAxis::third}}).pixels),
      (std::vector<double>{0, 1, 6, 7, 12, 13, 18, 19, 2, 3, 8, 9, 14, 15, 20, 21, 4, 5, 10, 11, 16, 17, 22, 23}));
  io::VolumeReader first(file, {}, {.volume = {.axis = VolumeAxis::first}});
  EXPECT_EQ(first.shape(), (Shape{Kind::volume, Element::f32, 1, 3, 2, 4}));
  EXPECT_EQ(first.spacing(), (std::array{2.0, 3.0, 0.5}));
  std::vector<float> layer(6);
  first.read(1, 2, layer.data());
  EXPECT_EQ(layer, (std::vector<float>{6, 8, 10, 7, 9, 11}));
}

TEST_F(VolumeAxes, OfAPatientAreKnownFromNifti) {
  EXPECT_NE(message(write("unknown.nii"), VolumeAxis::of_patient).find("state --axis 1, 2 or 3"), std::string::npos);
  const auto put = [](std::string& header, std::size_t offset, auto value) {
    std::memcpy(header.data() + offset, &value, sizeof value);
  };
  // The matrix says that the first axis points to the feet.
  std::string matrix = io::nifti_header_text(shape, {0.5, 2, 3});
  put(matrix, 254, std::int16_t{1});
  put(matrix, 312, std::array{-0.5f, 0.02f, 0.0f});
  const io::Loaded by_matrix =
      io::load_volume(write("matrix.nii", matrix), {}, {.volume = {.axis = VolumeAxis::of_patient}});
  EXPECT_EQ(by_matrix.pixels.shape(), (Shape{Kind::volume, Element::f32, 1, 3, 2, 4}));
  EXPECT_NE(by_matrix.note.find("the scanner turns about its first axis, which is that of the patient"),
            std::string::npos)
      << by_matrix.note;
  // A quaternion of zeros is no rotation: the third axis points to the head.
  std::string quaternion = io::nifti_header_text(shape, {0.5, 2, 3});
  put(quaternion, 252, std::int16_t{1});
  EXPECT_EQ(
      io::load_volume(write("q.nii", quaternion), {}, {.volume = {.axis = VolumeAxis::of_patient}}).pixels.shape(),
      (Shape{Kind::volume, Element::f32, 1, 2, 4, 3}));
  // A quarter turn about the first axis: the second one points to the head.
  put(quaternion, 256, std::sqrt(0.5f));
  EXPECT_EQ(
      io::load_volume(write("q.nii", quaternion), {}, {.volume = {.axis = VolumeAxis::of_patient}}).pixels.shape(),
      shape);
}

TEST_F(VolumeAxes, OfAPatientAreKnownFromDicom) {
  const json reference = json::parse(read_bytes(test_dir() + "/data/dicom.json"))["cases"];
  for (const json& wanted : reference) {
    if (wanted["name"] != "ct") continue;
    std::filesystem::create_directories(path("ct"));
    for (const auto& [name, content] : wanted["files"].items())
      write_bytes(path("ct") / name, from_hex(content.get<std::string>()));
  }
  const io::VolumeReader stored(path("ct"), {}), turned(path("ct"), {}, {.volume = {.axis = VolumeAxis::of_patient}});
  EXPECT_EQ(turned.shape().height, stored.shape().depth) << turned.note();
  EXPECT_NE(turned.note().find("about its third axis"), std::string::npos) << turned.note();
}

TEST_F(VolumeAxes, HoldAttenuationWhereWaterIsStated) {
  std::string header = io::nifti_header_text({Kind::volume, Element::f32, 1, 5, 1, 1}, {1, 1, 1});
  const std::array hounsfield{-3024.0f, -1000.0f, 0.0f, 500.0f, 1000.0f};
  header.append(reinterpret_cast<const char*>(hounsfield.data()), sizeof hounsfield);
  write_bytes(path("ct.nii"), header);
  const std::vector<double> found = floats_of(io::load_volume(path("ct.nii"), {}, {.volume = {.water = 0.02}}).pixels);
  const std::array<double, 5> attenuation{0, 0, 0.02, 0.03, 0.04};
  for (std::size_t i = 0; i < attenuation.size(); ++i)
    EXPECT_NEAR(found[i], attenuation[i], 1e-9);
}

TEST(WaterAttenuation, IsThatOfTheTablesAndALineOfLogarithmsBetweenThem) {
  EXPECT_DOUBLE_EQ(io::water_attenuation(20), 0.08096);
  EXPECT_DOUBLE_EQ(io::water_attenuation(60), 0.02059);
  EXPECT_DOUBLE_EQ(io::water_attenuation(150), 0.01505);
  // Halfway between the logarithms of two energies lies the geometric mean.
  EXPECT_NEAR(io::water_attenuation(std::sqrt(100.0 * 150.0)), std::sqrt(0.01707 * 0.01505), 1e-9);
}

}  // namespace
}  // namespace threadscape
