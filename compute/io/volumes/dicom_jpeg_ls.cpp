// JPEG-LS goes to CharLS, which sees nothing of the file around the pixels. The decoder of DCMTK 3.6.7 ends the program
// in an assertion where data are damaged.

#include <charls/charls.h>

#include "compute/io/volumes/dicom_decode.h"

namespace threadscape::io {

std::vector<std::byte> decoded_jpeg_ls_frame(const DicomFile& file, Bytes data) {
  try {
    charls::jpegls_decoder decoder;
    decoder.source(data.data(), data.size()).read_header();
    const charls::frame_info& frame = decoder.frame_info();
    require_stated(file, {frame.width, frame.height, frame.component_count, frame.bits_per_sample}, data);
    std::vector<std::byte> decoded(static_cast<std::size_t>(file.frame_bytes()));
    decoder.decode(decoded);
    return decoded;
  } catch (const charls::jpegls_error& error) {
    throw DecodeFailure{std::string("its compressed pixels cannot be decoded: ") + error.what()};
  }
}

}  // namespace threadscape::io
