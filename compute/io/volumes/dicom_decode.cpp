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
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "compute/core/machine.h"
#include "compute/io/volumes/dicom_rle.h"

namespace threadscape::io {

namespace {

/// The transfer syntaxes that are decoded: baseline, extended, lossless and progressive JPEG. JPEG-LS is not among
/// them: damaged data end the program in an assertion of the decoder of DCMTK 3.6.7.
constexpr std::array<std::string_view, 5> jpeg_syntaxes{"1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.51",
                                                        "1.2.840.10008.1.2.4.57", "1.2.840.10008.1.2.4.70",
                                                        "1.2.840.10008.1.2.4.53"};

bool is_jpeg_syntax(const std::string& transfer_syntax) {
  return std::ranges::count(jpeg_syntaxes, transfer_syntax) > 0;
}

/// Returns true for the markers of JPEG that begin the description of a frame.
bool begins_frame(int marker) {
  // The other markers in this range define Huffman tables and arithmetic coding, and one is reserved.
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Returns true for the markers of segments that may precede the description of a frame: tables, comments and what
/// applications add.
bool may_precede_frame(int marker) {
  constexpr std::array markers{0xC4, 0xCC, 0xDB, 0xDD, 0xFE};
  return std::ranges::count(markers, marker) > 0 || (marker >= 0xE0 && marker <= 0xEF);
}

/// The bits of a sample. Throws DecodeFailure unless the data begin as JPEG does, and state one grey channel and the
/// size of the file's frames and numbers, because decoders take memory for what the data claim.
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
  if (word(at + 5) != file.rows || word(at + 7) != file.columns || byte(at + 9) != 1)
    throw DecodeFailure{"its compressed pixels are " + std::to_string(word(at + 7)) + " x " +
                        std::to_string(word(at + 5)) + " with " + std::to_string(byte(at + 9)) +
                        " channels, its header states " + std::to_string(file.columns) + " x " +
                        std::to_string(file.rows) + " with 1"};
  const int precision = byte(at + 4);
  if (file.numbers.bytes() != (precision > 8 ? 2 : 1))
    throw DecodeFailure{"its compressed pixels have " + std::to_string(precision) + " bits, its header states " +
                        std::to_string(8 * file.numbers.bytes())};
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

std::string dicom_refusal(const std::string& transfer_syntax) {
  if (transfer_syntax == dicom_rle_syntax || is_jpeg_syntax(transfer_syntax)) return "";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{
      {{"1.2.840.10008.1.2.4.8", "by JPEG-LS "},
       {"1.2.840.10008.1.2.4.9", "by JPEG 2000 "},
       {"1.2.840.10008.1.2.4.20", "by JPEG 2000 "}}};
  std::string method;
  for (const auto& [identifier, name] : others)
    if (transfer_syntax.starts_with(identifier)) method = name;
  return "its pixels are compressed " + method + "(transfer syntax " + transfer_syntax +
         "): RLE and JPEG are read; "
         "gdcmconv --raw makes a file that is read";
}

std::vector<std::byte> decoded_dicom_frame(const DicomFile& file, Bytes data) {
  if (file.transfer_syntax == dicom_rle_syntax) return decoded_rle_frame(file, data);
  if (!is_jpeg_syntax(file.transfer_syntax)) throw DecodeFailure{dicom_refusal(file.transfer_syntax)};
  const int precision = jpeg_precision(file, data);
  const std::int64_t bytes = file.frame_bytes();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (bytes > most || std::ssize(data) > most)
    throw DecodeFailure{"its compressed frames are too large: up to 2 GiB are decoded"};
  if (const auto free = free_host_bytes_below(static_cast<std::size_t>(2 * bytes)))
    throw DecodeFailure{"its frames of " + std::to_string(bytes) + " bytes do not fit into memory, " +
                        std::to_string(*free) + " are free"};
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
