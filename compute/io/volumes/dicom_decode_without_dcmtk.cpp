#include "compute/io/volumes/dicom_decode.h"

#include "compute/io/volumes/dicom_rle.h"

namespace threadscape::io {

std::string dicom_refusal(const std::string& transfer_syntax) {
  if (transfer_syntax == dicom_rle_syntax) return "";
  return "its pixels are compressed (transfer syntax " + transfer_syntax +
         "): RLE is read, and JPEG by builds with DCMTK, which scripts/setup installs";
}

std::vector<std::byte> decoded_dicom_frame(const DicomFile& file, Bytes data) {
  if (file.transfer_syntax == dicom_rle_syntax) return decoded_rle_frame(file, data);
  throw DecodeFailure{dicom_refusal(file.transfer_syntax)};
}

}  // namespace threadscape::io
