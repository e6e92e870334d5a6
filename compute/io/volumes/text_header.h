#pragma once
// The headers of MetaImage (itk.org/Wiki/ITK/MetaIO/Documentation) and NRRD files
// (teem.sourceforge.net/nrrd/format.html), which are lines of text before the numbers or beside them.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/io/volumes/volume_numbers.h"

namespace threadscape::io {

/// How the numbers of a volume are written.
enum class NumberCoding : std::uint8_t { raw, deflate, bzip2, text };

/// What a header says about a volume, in the order of the axes of the file: the first varies fastest.
struct TextHeader {
  std::array<std::int64_t, 3> extents{};         ///< In voxels; they are not judged.
  std::optional<std::array<double, 3>> spacing;  ///< The sides of a voxel; 1 where a single one is not stated.
  VolumeNumbers numbers;
  NumberCoding coding = NumberCoding::raw;
  /// The files that hold the numbers, each an equal part of them; empty if they follow the header.
  std::vector<std::string> files;
  std::int64_t size = 0;           ///< The header has so many bytes.
  std::int64_t skipped_lines = 0;  ///< Before the numbers of each file, as they are in the file.
  /// Bytes before the numbers, after decompression; negative if the numbers are the last bytes of the file.
  std::int64_t skipped_bytes = 0;
  bool of_views = false;  ///< The layers are views of an object (slice_titles_key).
  std::string note;       ///< What of the header has no effect; "" if nothing.
};

/// Reads the header at the beginning of a file. Throws DecodeFailure with what is wrong, or with what is not read.
[[nodiscard]] TextHeader read_metaimage_header(std::string_view text);
[[nodiscard]] TextHeader read_nrrd_header(std::string_view text);

}  // namespace threadscape::io
