#include "compute/io/volumes/dicom_decode.h"

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcpixel.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmjpeg/djdecode.h>
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

/// A transfer syntax that DCMTK decodes. JPEG-LS is not among them: damaged data end the program in an assertion of the
/// decoder in version 3.6.7.
struct Syntax {
  std::string_view identifier;
  E_TransferSyntax syntax;
};
constexpr std::array<Syntax, 5> syntaxes{{{"1.2.840.10008.1.2.4.50", EXS_JPEGProcess1},
                                          {"1.2.840.10008.1.2.4.51", EXS_JPEGProcess2_4},
                                          {"1.2.840.10008.1.2.4.57", EXS_JPEGProcess14},
                                          {"1.2.840.10008.1.2.4.70", EXS_JPEGProcess14SV1},
                                          {"1.2.840.10008.1.2.4.53", EXS_JPEGProcess6_8}}};

const Syntax* syntax_named(const std::string& transfer_syntax) {
  const auto* const found = std::ranges::find(syntaxes, transfer_syntax, &Syntax::identifier);
  return found == syntaxes.end() ? nullptr : found;
}

/// The decoders are registered while this exists. DCMTK would write messages to stderr, which the causes of
/// DecodeFailure replace.
class Decoders {
 public:
  Decoders() {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    DJDecoderRegistration::registerCodecs();
  }
  ~Decoders() { DJDecoderRegistration::cleanup(); }
  Decoders(const Decoders&) = delete;
  Decoders& operator=(const Decoders&) = delete;
};

/// Registers the decoders once, until the program ends.
void prepare_dcmtk() {
  static const Decoders decoders;
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

/// Throws DecodeFailure unless the data begin as JPEG does, and state one grey channel and the size of the
/// file's frames. Decoders take memory for what the data claim, and DCMTK 3.6.7 searches without end for the type of
/// data in which a marker without a segment (FF01) precedes the frame.
void check_jpeg_header(const DicomFile& file, Bytes data) {
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
}

/// A dataset with one frame, and what a decoder has to know of it.
void describe(DcmDataset& dataset, const DicomFile& file) {
  const bool with_sign = file.numbers.type == VolumeNumber::i8 || file.numbers.type == VolumeNumber::i16 ||
                         file.numbers.type == VolumeNumber::i32;
  const auto bits = static_cast<Uint16>(8 * file.numbers.bytes());
  const auto used = static_cast<Uint16>(bits - file.numbers.unused_bits);
  const auto put = [&](const DcmTagKey& key, Uint16 value) {
    // The type is stated because DCMTK would look for it in a dictionary, which is a file that may be absent.
    dataset.putAndInsertUint16(DcmTag(key, EVR_US), value);
  };
  put(DCM_SamplesPerPixel, 1);
  put(DCM_Rows, static_cast<Uint16>(file.rows));
  put(DCM_Columns, static_cast<Uint16>(file.columns));
  put(DCM_BitsAllocated, bits);
  put(DCM_BitsStored, used);
  put(DCM_HighBit, static_cast<Uint16>(used - 1));
  put(DCM_PixelRepresentation, with_sign ? 1 : 0);
  dataset.putAndInsertString(DcmTag(DCM_PhotometricInterpretation, EVR_CS), "MONOCHROME2");
  dataset.putAndInsertString(DcmTag(DCM_NumberOfFrames, EVR_IS), "1");
}

/// Throws DecodeFailure where DCMTK reports an error.
void require(const OFCondition& condition) {
  if (condition.bad()) throw DecodeFailure{std::string("its compressed pixels cannot be decoded: ") + condition.text()};
}

}  // namespace

std::string dicom_refusal(const std::string& transfer_syntax) {
  if (transfer_syntax == dicom_rle_syntax || syntax_named(transfer_syntax) != nullptr) return "";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{
      {{"1.2.840.10008.1.2.4.8", "by JPEG-LS "},
       {"1.2.840.10008.1.2.4.9", "by JPEG 2000 "},
       {"1.2.840.10008.1.2.4.20", "by JPEG 2000 "}}};
  std::string method;
  for (const auto& [identifier, name] : others)
    if (transfer_syntax.starts_with(identifier)) method = name;
  return "its pixels are compressed " + method + "(transfer syntax " + transfer_syntax + "): RLE and JPEG are read";
}

std::vector<std::byte> decoded_dicom_frame(const DicomFile& file, Bytes data) {
  if (file.transfer_syntax == dicom_rle_syntax) return decoded_rle_frame(file, data);
  const Syntax* const syntax = syntax_named(file.transfer_syntax);
  if (syntax == nullptr) throw DecodeFailure{dicom_refusal(file.transfer_syntax)};
  check_jpeg_header(file, data);
  const std::int64_t bytes = file.frame_bytes(), even = bytes + bytes % 2;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (even > most || std::ssize(data) >= most)
    throw DecodeFailure{"its compressed frames are too large: up to 2 GiB are decoded"};
  if (const auto free = free_host_bytes_below(static_cast<std::size_t>(2 * even)))
    throw DecodeFailure{"its frames of " + std::to_string(bytes) + " bytes do not fit into memory, " +
                        std::to_string(*free) + " are free"};
  prepare_dcmtk();
  DcmDataset dataset;
  describe(dataset, file);
  auto sequence = std::make_unique<DcmPixelSequence>(DcmTag(DCM_PixelData, EVR_OB));
  auto table = std::make_unique<DcmPixelItem>(DcmTag(DCM_Item, EVR_OB));
  require(sequence->insert(table.get()));
  (void)table.release();  // The sequence owns it from now on.
  auto item = std::make_unique<DcmPixelItem>(DcmTag(DCM_Item, EVR_OB));
  std::vector<Uint8> padded(data.size() + data.size() % 2);
  std::ranges::transform(data, padded.begin(), [](std::byte value) { return std::to_integer<Uint8>(value); });
  require(item->putUint8Array(padded.data(), static_cast<unsigned long>(padded.size())));
  padded = {};
  require(sequence->insert(item.get()));
  (void)item.release();
  auto pixels = std::make_unique<DcmPixelData>(DcmTag(DCM_PixelData, EVR_OB));
  pixels->putOriginalRepresentation(syntax->syntax, nullptr, sequence.release());
  DcmPixelData& frame = *pixels;
  require(dataset.insert(pixels.get()));
  (void)pixels.release();
  std::vector<std::byte> decoded(static_cast<std::size_t>(even));
  Uint32 first_fragment = 1;  // Fragment 0 is the table of offsets.
  OFString colour;
  require(frame.getUncompressedFrame(&dataset, 0, first_fragment, decoded.data(), static_cast<Uint32>(even), colour));
  decoded.resize(static_cast<std::size_t>(bytes));
  return decoded;
}

}  // namespace threadscape::io
