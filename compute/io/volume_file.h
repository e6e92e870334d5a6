#pragma once
// Volumes from and to files. A file is taken as it lies: its fastest axis is x, the next z, the slowest y (as in
// compute/algorithms/tomography/volume_grid.h), so that slabs along y can be read one after another. Numbers become
// floats.
//
//   .mhd, .mha   MetaImage: MET_UCHAR, USHORT, SHORT, FLOAT, DOUBLE, little endian, in a file of their own or LOCAL
//   .raw         numbers alone; the extents are the caller's, the length says whether they have 1, 2, 4 or 8 bytes
//   .dat         of the source project, see DatHeader
//   a folder, or a path with a %d (%04d): a stack of pictures, one for each y, all of one size; colours by their luma

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/io/image_file.h"
#include "compute/registry/algorithm.h"

namespace threadscape::io {

/// What stands before the voxels (doubles) of a .dat file: 12 unsigned 16-bit and 4 unsigned 32-bit integers.
struct DatHeader {
  std::uint16_t pixel = 0, theta = 0, alpha = 0;
  std::array<std::uint16_t, 3> voxel{}, count{}, planes{};  ///< x, y, z
  std::uint32_t object_side = 0, detector_side = 0, detector_distance = 0, source_distance = 0;
  friend bool operator==(const DatHeader&, const DatHeader&) = default;
};

/// A key of our own in a MetaImage header: the titles of the slices. Only stacks of views have some, their angles.
inline constexpr std::string_view slice_titles_key = "SliceTitles";

/// An open volume of which layers are read when they are wanted: for volumes larger than memory.
class VolumeReader final : public LayerReader {
 public:
  /// `wanted` has the extents of a .raw file. Throws EnvironmentError with the path and the cause: missing, a header
  /// that is wrong or lies about the size, a format that is not known.
  VolumeReader(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options = {});

  [[nodiscard]] const Shape& shape() const override { return shape_; }
  /// Sides of a voxel along x, y, z; 1 where the file does not say.
  [[nodiscard]] const std::array<double, 3>& spacing() const { return spacing_; }
  [[nodiscard]] const std::optional<DatHeader>& dat() const { return dat_; }
  /// The layers y0 .. y1 - 1. Throws EnvironmentError.
  void read(std::int64_t y0, std::int64_t y1, float* to) override;
  /// What the file says of parameters, for Picture::settings: see apply_settings() in data_file.h for their names.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const;

 private:
  enum class Number : std::uint8_t { u8, u16, i16, f32, f64 };

  [[noreturn]] void fail(const std::string& why) const;
  void open_meta();
  void open_raw(const Shape& wanted);
  void open_dat();
  void open_stack(const LoadOptions& options);
  void set_extents(std::int64_t x, std::int64_t z, std::int64_t y);
  void open_numbers(const std::filesystem::path& path, std::int64_t offset);
  [[nodiscard]] std::int64_t number_bytes() const;
  void read_picture(std::int64_t y, float* to) const;

  std::filesystem::path path_;
  Shape shape_;
  std::array<double, 3> spacing_{1, 1, 1};
  bool spaced_ = false;    ///< the file says what the spacing is
  bool of_views_ = false;  ///< and that its layers are views
  std::optional<DatHeader> dat_;
  std::vector<std::filesystem::path> pictures_;
  LoadOptions options_;
  std::ifstream file_;
  std::int64_t offset_ = 0;
  Number number_ = Number::f32;
};

/// A whole volume of floats, with settings(). Throws as VolumeReader.
[[nodiscard]] Picture load_volume(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options);

/// A stack of floats, by extension.
///   .mhd   header, with the titles, and the numbers in a .raw of the same name    .raw   the numbers alone
///   .png   16-bit grey levels from the lowest to the highest value: NAME_0000.png, ... for every slice; of slices of
///          one row (a sinogram) one picture with a line for each slice
///   .pgm   the same with levels 0..255 rounded down, in one plain file (P2), slices below each other, before each a
///          comment: its text from `titles`, else its number
/// Throws UsageError, EnvironmentError; a failed save leaves existing files as they were.
void save_volume(const std::filesystem::path& path, HostIn volume, const std::array<double, 3>& spacing = {1, 1, 1},
                 const std::vector<std::string>& titles = {});
void save_dat(const std::filesystem::path& path, const DatHeader& header, HostIn volume);

/// Throws what save_volume() would throw for this path, before time is spent on the volume.
void require_volume_path(const std::filesystem::path& path);

}  // namespace threadscape::io
