#pragma once
// The files of a DICOM series as the slices of a volume.

#include <array>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/io/volumes/dicom_header.h"

namespace threadscape::io {

/// A frame of one of the files of a series.
struct DicomSlice {
  std::size_t file = 0, frame = 0;
};

/// The slices of a volume, from one side of the patient to the other.
struct DicomVolume {
  std::vector<DicomFile> files;
  std::vector<DicomSlice> slices;
  /// From column to column, from row to row and from slice to slice in millimetres; 1 where the files do not state it.
  std::array<double, 3> spacing{1, 1, 1};
  /// What was left out or assumed: slices that are missing, that lie at the same place as others, or that are at
  /// unequal distances, and files that could not be read. Parts are separated by "; ". "" where the series is complete.
  std::string note;

  [[nodiscard]] const DicomFile& file_of(const DicomSlice& slice) const { return files[slice.file]; }
  [[nodiscard]] const DicomFrame& frame_of(const DicomSlice& slice) const {
    return files[slice.file].frames[slice.frame];
  }
};

/// Returns true if the folder holds a file of DICOM. Files with the extension of a picture are not looked at. Never
/// throws.
[[nodiscard]] bool is_dicom_folder(const std::filesystem::path& folder);

/// Finds the series that `path` means: a folder that holds one series, or a file, whose series is looked for in its
/// folder. Throws DecodeFailure where a folder holds no or several series, and where the file cannot be read.
[[nodiscard]] DicomVolume find_dicom_series(const std::filesystem::path& path, const std::stop_token& stop);

/// Puts the frames of the files of one series into their order in space, along the normal of their planes. Of frames
/// with several sizes or planes the most frequent ones are taken. The files are not empty.
[[nodiscard]] DicomVolume arranged(std::vector<DicomFile> files);

}  // namespace threadscape::io
