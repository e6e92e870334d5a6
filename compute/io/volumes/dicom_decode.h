#pragma once
// Compressed pixels of DICOM files. dicom_decode.cpp decodes RLE itself, and JPEG with DCMTK; builds
// without DCMTK compile dicom_decode_without_dcmtk.cpp instead, which refuses JPEG.

#include <string>
#include <vector>

#include "compute/io/bytes.h"
#include "compute/io/volumes/dicom_header.h"

namespace threadscape::io {

/// Why pixels in this transfer syntax are not read; "" if they are.
[[nodiscard]] std::string dicom_refusal(const std::string& transfer_syntax);

/// Decompresses a frame. `data` holds its pieces, one after another. Returns file.frame_bytes() bytes in the byte order
/// of this machine. Throws DecodeFailure for data that are damaged, or of another size or type than the file states.
[[nodiscard]] std::vector<std::byte> decoded_dicom_frame(const DicomFile& file, Bytes data);

}  // namespace threadscape::io
