#pragma once
// Compressed pixels of DICOM files: RLE is decoded by dicom_rle.cpp, JPEG by DCMTK (dicom_jpeg.cpp), JPEG-LS by CharLS
// (dicom_jpeg_ls.cpp) and JPEG 2000 by OpenJPEG (dicom_jpeg_2000.cpp). Builds without one of these libraries leave its
// source out, and refuse what it decodes.

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

// ---- The decoders, which decoded_dicom_frame() calls by the transfer syntax

/// What compressed pixels say that they are.
struct StatedFrame {
  std::int64_t columns = 0, rows = 0;
  int channels = 1, bits = 8;
  bool widened = false;  ///< The decoder stores few bits in wide numbers, too.
};
/// Throws DecodeFailure unless the compressed pixels have one grey channel and the size of the file's frames and
/// numbers, and there is memory for two of them. Decoders take memory for what the data claim, so this comes first.
void require_stated(const DicomFile& file, const StatedFrame& stated, Bytes data);

[[nodiscard]] std::vector<std::byte> decoded_jpeg_frame(const DicomFile& file, Bytes data);
[[nodiscard]] std::vector<std::byte> decoded_jpeg_ls_frame(const DicomFile& file, Bytes data);
[[nodiscard]] std::vector<std::byte> decoded_jpeg_2000_frame(const DicomFile& file, Bytes data);

}  // namespace threadscape::io
