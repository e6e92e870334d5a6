// Pixels that are compressed by JPEG go to the decoders of DCMTK, which see nothing of the file around them.

#include "compute/io/volumes/dicom_decode.h"

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmjpeg/djcparam.h>
#include <dcmtk/dcmjpeg/djdijg12.h>
#include <dcmtk/dcmjpeg/djdijg16.h>
#include <dcmtk/dcmjpeg/djdijg8.h>
#include <dcmtk/oflog/oflog.h>

#include <algorithm>
#include <array>
#include <memory>

namespace threadscape::io {

namespace {

/// Returns true for the markers of JPEG that begin the description of a frame.
bool begins_frame(int marker) {
  // Three markers in this range begin none: they define Huffman tables and arithmetic coding, and one is reserved.
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Returns true for the markers of segments that may precede the description of a frame: tables, comments and what
/// applications add.
bool may_precede_frame(int marker) {
  constexpr std::array markers{0xC4, 0xCC, 0xDB, 0xDD, 0xFE};
  return std::ranges::count(markers, marker) > 0 || (marker >= 0xE0 && marker <= 0xEF);
}

/// The bits of a sample. Throws DecodeFailure unless the data begin as JPEG does, and state one grey channel and the
/// size of the file's frames and numbers.
int jpeg_precision(const DicomFile& file, Bytes data) {
  const auto byte = [&](std::size_t at) { return at < data.size() ? std::to_integer<int>(data[at]) : 0; };
  const auto word = [&](std::size_t at) { return byte(at) * 256 + byte(at + 1); };
  constexpr int start_of_image = 0xFFD8;
  if (word(0) != start_of_image) throw DecodeFailure{"its compressed pixels are no JPEG"};
  std::size_t at = 2;
  while (at + 9 < data.size() && byte(at) == 0xFF && may_precede_frame(byte(at + 1)) && word(at + 2) >= 2)
    at += 2 + static_cast<std::size_t>(word(at + 2));
  if (at + 9 >= data.size() || byte(at) != 0xFF || !begins_frame(byte(at + 1)))
    throw DecodeFailure{"its compressed pixels are damaged: they do not describe a frame"};
  const int precision = byte(at + 4);
  require_stated(file, {word(at + 7), word(at + 5), byte(at + 9), precision}, data);
  return precision;
}

std::unique_ptr<DJDecoder> make_jpeg_decoder(int precision) {
  static const DJCodecParameter parameter(ECC_lossyYCbCr, EDC_photometricInterpretation, EUC_default, EPC_default);
  if (precision <= 8) return std::make_unique<DJDecompressIJG8Bit>(parameter, OFFalse);
  if (precision <= 12) return std::make_unique<DJDecompressIJG12Bit>(parameter, OFFalse);
  return std::make_unique<DJDecompressIJG16Bit>(parameter, OFFalse);
}

/// Keeps DCMTK from writing messages to stderr, which the causes of DecodeFailure replace.
void silence_dcmtk() {
  static const bool once = [] {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    return true;
  }();
  (void)once;
}

/// Throws DecodeFailure where DCMTK reports an error. It asks for more data where these end too early.
void require(const OFCondition& condition) {
  if (condition.bad()) throw DecodeFailure{std::string("its compressed pixels cannot be decoded: ") + condition.text()};
}

}  // namespace

std::vector<std::byte> decoded_jpeg_frame(const DicomFile& file, Bytes data) {
  const int precision = jpeg_precision(file, data);
  const std::int64_t bytes = file.frame_bytes();
  silence_dcmtk();
  const std::unique_ptr<DJDecoder> decoder = make_jpeg_decoder(precision);
  std::vector<std::byte> decoded(static_cast<std::size_t>(bytes));
  require(decoder->init());
  // The decoder changes none of the bytes, and whether samples have a sign concerns colours alone.
  auto* const from = reinterpret_cast<Uint8*>(const_cast<std::byte*>(data.data()));
  require(decoder->decode(from, static_cast<Uint32>(data.size()), reinterpret_cast<Uint8*>(decoded.data()),
                          static_cast<Uint32>(bytes), OFFalse));
  return decoded;
}

}  // namespace threadscape::io
