#pragma once
// Volumes from and to files. The fastest axis of a file is x, the next z, the slowest y (the order of
// compute/algorithms/tomography/volume_grid.h), so that slabs along y can be read one after another. Numbers are
// converted to floats.
//
//   .mhd, .mha   MetaImage: integers of 8 to 64 bits, FLOAT and DOUBLE, both byte orders, plain, compressed or as text,
//   in
//                the file, in another one, or in several (a LIST or a pattern)
//   .raw         numbers alone; the extents are the caller's, the length says whether they have 1, 2, 4 or 8 bytes
//   .nrrd, .nhdr NRRD: integers of 8 to 64 bits, float and double, both byte orders; raw, gzip, bzip2 or ascii; in the
//                file, in another one, or in several. Sides of voxels are spacings or the lengths of space directions.
//   .npy         a NumPy array with the indices y, z, x; bool, integers and floats, in both orders
//   .npz         the first array of an archive
//   .nii         NIfTI-1 and NIfTI-2: integers and floats of 8 to 64 bits, both byte orders, scaled numbers; of several
//   .nii.gz      volumes the first. Lengths are in millimetres. The axes are those of the numbers.
//   .hdr         the same with the numbers in the file .img beside it
//   .dat         the format of the tomography project that the algorithms come from, see DatHeader
//   .dcm, a file without a known extension, or a folder   a DICOM series: all files in the folder that have the same
//                SeriesInstanceUID, ordered by their positions; values are rescaled; see
//                compute/io/volumes/dicom_series.h
//   .tif, .tiff  all pages, one for each y, all of one size; colours by their luma
//   a folder, or a path with a %d (%04d): a stack of pictures, one for each y, all of one size; colours by their luma

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/file_notes.h"
#include "compute/core/layers.h"
#include "compute/io/file_extension.h"
#include "compute/io/input_file.h"
#include "compute/io/loaded.h"
#include "compute/io/volumes/volume_numbers.h"

namespace threadscape::io {

struct DicomVolume;
struct NiftiHeader;
struct TextHeader;

/// The header of a .dat file, which the voxels (doubles) follow: 12 unsigned 16-bit and 4 unsigned 32-bit integers.
struct DatHeader {
  std::uint16_t pixel = 0, theta = 0, alpha = 0;
  std::array<std::uint16_t, 3> voxel{}, count{}, planes{};  ///< Values along x, y and z.
  std::uint32_t object_side = 0, detector_side = 0, detector_distance = 0, source_distance = 0;
  friend bool operator==(const DatHeader&, const DatHeader&) = default;
};

/// A key in MetaImage headers that Threadscape adds to the format: the titles of the slices. Only stacks of views have
/// titles, their angles.
inline constexpr std::string_view slice_titles_key = "SliceTitles";

/// An open volume file whose layers are read on demand, for volumes larger than memory.
class VolumeReader final : public LayerReader {
 public:
  /// `wanted` has the extents of a .raw file. Throws EnvironmentError with the path and the cause: missing, a header
  /// that is corrupt or contradicts the size of the file, an unknown format.
  VolumeReader(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options = {});

  /// The extensions, in lower case with the dot, of the files that volumes are read from.
  [[nodiscard]] static std::vector<std::string_view> extensions();

  [[nodiscard]] const Shape& shape() const override { return shape_; }
  /// The sides of a voxel along x, y and z; 1 where the file does not state them.
  [[nodiscard]] const std::array<double, 3>& spacing() const { return spacing_; }
  [[nodiscard]] const std::optional<DatHeader>& dat() const { return dat_; }
  /// Reads the layers y0 .. y1 - 1. Throws EnvironmentError.
  void read(std::int64_t y0, std::int64_t y1, float* to) override;
  /// What was left out of the file, for the user; "" if nothing was.
  [[nodiscard]] const std::string& note() const { return note_; }
  /// Names and values that the file states for parameters (Loaded::settings); apply_settings() of
  /// compute/registry/file_settings.h explains the names.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const;

 private:
  struct Format;
  static const std::array<Format, 14> formats;

  [[noreturn]] void fail(const std::string& why) const;
  void open(const Shape& wanted);
  /// Turns the volume so that LoadOptions::axis is z. The voxels are in memory_ then, unless that is their own z.
  void take_axis();
  /// Reads layers as the file has them, without VolumeReading::water.
  void read_stored(std::int64_t y0, std::int64_t y1, float* to);
  void open_meta(const Shape& wanted);
  void open_raw(const Shape& wanted);
  void open_dat(const Shape& wanted);
  void open_nrrd(const Shape& wanted);
  void open_text_header(TextHeader (*read_header)(std::string_view));
  /// Appends the numbers of a file behind its first `from` bytes, `bytes` of them in their type, to memory_. Throws
  /// DecodeFailure.
  void append_numbers(const TextHeader& header, Bytes file, std::int64_t from, std::int64_t bytes);
  void open_npy(const Shape& wanted);
  void open_dicom(const Shape& wanted);
  void read_dicom(std::int64_t y, float* to) const;
  void open_nifti(const Shape& wanted);
  /// Reads the numbers of a compressed file into memory_. Throws DecodeFailure.
  void inflate_nifti(InputFile& file);
  void take_nifti(const NiftiHeader& header);
  void open_stack(const LoadOptions& options);
  /// Reads all pages of a TIFF into memory_, one for each y.
  void open_pages(const Shape& wanted);
  void set_extents(std::int64_t x, std::int64_t z, std::int64_t y);
  /// Opens a regular file as file_. Each file is opened once, and what is read of it later is checked, because it may
  /// become shorter meanwhile.
  void open_file(const std::filesystem::path& path);
  /// Checks that the numbers fill file_, whose path is for the message, from this byte offset to its end. A negative
  /// offset means that they are its last bytes.
  /// Adds to note(), which begins with the name of the file.
  void add_note(const std::string& text);
  void take_numbers(const std::filesystem::path& path, std::int64_t offset);
  /// Opens the file at path_ and reads its beginning, up to Limit::header_bytes.
  [[nodiscard]] std::vector<std::byte> read_beginning();
  /// Sets the spacing along the axes of the file: x, z, y. `text` is what the file says, for the message.
  void set_spacing(const std::array<double, 3>& file_order, const std::string& text);
  /// The path of the data file that a header names. Throws if it is outside of the header's folder and the options do
  /// not allow that.
  [[nodiscard]] std::filesystem::path data_file(const std::string& name) const;
  void read_picture(std::int64_t y, float* to) const;

  std::filesystem::path path_;
  Shape shape_;
  std::array<double, 3> spacing_{1, 1, 1};
  /// The part of each axis of the file that points from the feet of a patient to the head, from -1 to 1; 0 if unknown.
  std::array<double, 3> upwards_{};
  bool spaced_ = false;    ///< The file states the spacing.
  bool of_views_ = false;  ///< The file states that its layers are views of an object.
  std::optional<DatHeader> dat_;
  std::vector<std::filesystem::path> pictures_;
  std::shared_ptr<const DicomVolume> dicom_;  ///< The slices of a DICOM series; null for other formats.
  LoadOptions options_;
  std::string note_;
  std::optional<InputFile> file_;  ///< Holds the numbers, unless they are in memory_ or a stack of pictures.
  std::vector<std::byte> memory_;  ///< The numbers of a file that cannot be read in parts.
  std::int64_t offset_ = 0;
  VolumeNumbers numbers_;
};

/// Reads a whole volume as floats, with VolumeReader::settings(). Throws what VolumeReader throws.
[[nodiscard]] Loaded load_volume(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options);

/// The extensions, in lower case with the dot, of the files that volumes are read from or written to.
[[nodiscard]] std::vector<std::string_view> volume_extensions(FormatUse use);

/// Writes a volume of floats in the format of the path's extension.
///   .mhd   header, with the titles, and the numbers in NAME.raw, or in NAME.mhd.raw if an old header names those
///   .raw   the numbers alone
///   .nrrd  header and numbers, compressed by gzip    .npy   a NumPy array with the indices y, z, x
///   .nii, .nii.gz   NIfTI-1, or NIfTI-2 for sides beyond 32767 voxels, without orientation and unit
///   .dat   the format of the source project, with the scan of the notes, or one of usual proportions; lengths have to
///          be whole numbers
///   .png   16-bit grey levels from the lowest to the highest value: NAME_0000.png, ... for every slice; slices of one
///          row (a sinogram) become one picture with a line for each slice
///   .pgm   grey levels 0..255, rounded down, in one plain file (P2), slices below each other; a comment before each
///   slice
///          holds its title, or its number
/// Throws UsageError or EnvironmentError; a failed save leaves existing files as they were.
void save_volume(const std::filesystem::path& path, HostIn volume, const FileNotes& notes = {});

/// Returns whether the format of the path's extension can be written layer by layer. Throws UsageError for an unknown
/// format.
[[nodiscard]] bool writes_layers(const std::filesystem::path& path);
/// The bytes that save_volume_layers() takes for the layers that it asks the reader for at a time.
[[nodiscard]] std::size_t layer_buffer_bytes(const Shape& volume);
/// The same as save_volume() for a volume that need not fit into memory: its layers are read while they are written.
/// Throws UsageError for a format that writes_layers() denies, and what the reader throws.
void save_volume_layers(const std::filesystem::path& path, LayerReader& volume, const FileNotes& notes = {});

/// Writes a .dat file. Throws UsageError where the header has other extents than the volume, and EnvironmentError.
void save_dat(const std::filesystem::path& path, const DatHeader& header, HostIn volume);

/// Throws what save_volume() would throw for this path, so that callers can ask before they compute the volume.
void require_volume_path(const std::filesystem::path& path);

}  // namespace threadscape::io
