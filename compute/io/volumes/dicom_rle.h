#pragma once
// The run-length encoding of DICOM (part 5 of the standard, annex G). It is decoded without DCMTK, whose decoder of
// version 3.6.7 reads beyond the end of data that are damaged.

#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/io/bytes.h"
#include "compute/io/volumes/dicom_header.h"

namespace threadscape::io {

inline constexpr std::string_view dicom_rle_syntax = "1.2.840.10008.1.2.5";

/// Returns whether this many bytes of run lengths can stand for a frame, to be asked before memory is allocated for it.
[[nodiscard]] bool run_lengths_suffice(const DicomFile& file, std::int64_t bytes);

/// Decodes a frame into file.frame_bytes() bytes in the byte order of this machine. Throws DecodeFailure for data that
/// are damaged.
[[nodiscard]] std::vector<std::byte> decoded_rle_frame(const DicomFile& file, Bytes data);

}  // namespace threadscape::io
