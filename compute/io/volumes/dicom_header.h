#pragma once
// The headers of DICOM files (part 10 of the standard), read without a library: a header that is made to nest sequences
// ten thousand times deep ends libraries that follow it by recursion. Pixels that are stored as they are need nothing
// else; compute/io/volumes/dicom_decode.h decompresses others.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/io/volumes/volume_numbers.h"

namespace threadscape::io {

/// What a file states about the place and the values of one of its frames. Lengths are in millimetres.
struct DicomFrame {
  std::optional<std::array<double, 3>> position;     ///< Of the first pixel's centre, in the patient's coordinates.
  std::optional<std::array<double, 6>> orientation;  ///< Unit vectors along a row and along a column.
  std::optional<std::array<double, 2>> spacing;      ///< From row to row, and from column to column.
  std::optional<double> slice_distance;              ///< From slice to slice.
  std::optional<double> thickness;                   ///< Of the slice.
  std::optional<double> slope, intercept;            ///< A voxel is slope * number + intercept.
  std::optional<double> dose_unit;                   ///< The factor of a distribution of dose, which has no slope.
};

/// A piece of a file, in bytes.
struct DicomPart {
  std::int64_t offset = 0, length = 0;
};

class InputFile;

struct DicomFile {
  std::filesystem::path path;
  std::string transfer_syntax;  ///< The identifier of the encoding, 1.2.840.10008.1.2 and so on.
  std::string series;           ///< The identifier of the series that the file belongs to.
  std::string description;      ///< Of the series, for people.
  std::string note;             ///< What of it was left out; "" where nothing was.
  std::int64_t instance = 0;    ///< The number of the file within its series.
  std::int64_t rows = 0, columns = 0;
  VolumeNumbers numbers;  ///< Those of the pixels, also of decompressed ones. Slope and intercept are in the frames.
  std::vector<DicomFrame> frames;
  /// The numbers, from the first to the second, of pixels that are no part of the scan; and the voxels that they
  /// become.
  std::optional<std::array<double, 2>> padding;
  float padding_voxel = 0;
  bool compressed = false;
  bool single_bits = false;  ///< Eight pixels are stored in a byte, the first one in its lowest bit; numbers are bytes.
  /// The dataset of a file that is compressed as a whole, which the parts are of; null for other files.
  std::shared_ptr<const std::vector<std::byte>> inflated;
  /// The pixels of each frame: one piece, or several in a row for compressed ones.
  std::vector<std::vector<DicomPart>> parts;

  /// Reads bytes of the dataset. Throws DecodeFailure where it ends before them.
  void read(const InputFile& input, DicomPart part, std::byte* to) const;
  /// The bytes of a frame without compression.
  [[nodiscard]] std::int64_t frame_bytes() const { return rows * columns * numbers.bytes(); }
};

/// Returns true if the path is that of a regular file with the signature of DICOM. Never throws.
[[nodiscard]] bool is_dicom(const std::filesystem::path& path);

/// Reads the header of a file. Returns nothing for a file without pixels, such as the directory of a disk or a report.
/// Throws DecodeFailure for a file that is truncated or damaged, and for pixels that are no voxels (colours);
/// EnvironmentError and Cancelled as InputFile does.
[[nodiscard]] std::optional<DicomFile> read_dicom_header(const std::filesystem::path& path,
                                                         const std::stop_token& stop = {});

}  // namespace threadscape::io
