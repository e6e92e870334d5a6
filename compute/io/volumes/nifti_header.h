#pragma once
// The headers of NIfTI files (nifti.nimh.nih.gov): version 1 with 348 bytes, version 2 with 540.

#include <array>
#include <cstdint>
#include <string>

#include "compute/core/shape.h"
#include "compute/io/volumes/volume_numbers.h"

namespace threadscape::io {

/// The bytes at the beginning of a file that hold a header of either version.
inline constexpr std::size_t max_nifti_header_bytes = 540;

struct NiftiHeader {
  VolumeNumbers numbers;
  std::array<std::int64_t, 3> extents{1, 1, 1};  ///< In voxels, along the axes of the file; the first varies fastest.
  std::int64_t volumes = 1;                      ///< The file holds a volume for each of several times or components.
  /// The sides of a voxel along the axes of the file, in millimetres if the file states a unit; 1 where it states none.
  std::array<double, 3> spacing{1, 1, 1};
  /// The part of each axis of the file that points from the feet of a patient to the head, from -1 to 1; 0 if unknown.
  std::array<double, 3> upwards{};
  std::int64_t offset = 0;  ///< Where the numbers begin, in bytes.
  bool separate = false;    ///< The numbers are in the file with the extension .img.
};

/// Reads a header from the first bytes of a file. Throws DecodeFailure for files that are truncated, are no NIfTI, or
/// hold numbers other than integers and floats of 8 to 64 bits. The extents are not judged.
[[nodiscard]] NiftiHeader read_nifti_header(Bytes beginning);

/// The header of a single file of floats, with everything before the numbers. It is of version 1 unless the extents
/// need version 2. `spacing` has the order of the axes of the file. Orientation and unit are left unknown.
[[nodiscard]] std::string nifti_header_text(const Shape& volume, const std::array<double, 3>& spacing);

}  // namespace threadscape::io
