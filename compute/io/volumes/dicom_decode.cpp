#include "compute/io/volumes/dicom_decode.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "compute/core/machine.h"
#include "compute/io/volumes/dicom_rle.h"
#include "generated/file_libraries.h"

namespace threadscape::io {

namespace {

using Decode = std::vector<std::byte> (*)(const DicomFile&, Bytes);

/// A way to compress pixels; `decode` is null where this build lacks the library.
struct Compression {
  std::string_view name, library;
  Decode decode;
};

constexpr Compression rle{"RLE", "", decoded_rle_frame};
#if TS_HAS_DCMTK
constexpr Compression jpeg{"JPEG", "DCMTK", decoded_jpeg_frame};
#else
constexpr Compression jpeg{"JPEG", "DCMTK", nullptr};
#endif
#if TS_HAS_CHARLS
constexpr Compression jpeg_ls{"JPEG-LS", "CharLS", decoded_jpeg_ls_frame};
#else
constexpr Compression jpeg_ls{"JPEG-LS", "CharLS", nullptr};
#endif
#if TS_HAS_OPENJPEG
constexpr Compression jpeg_2000{"JPEG 2000", "OpenJPEG", decoded_jpeg_2000_frame};
#else
constexpr Compression jpeg_2000{"JPEG 2000", "OpenJPEG", nullptr};
#endif

/// The compression of a transfer syntax: JPEG is baseline, extended, lossless or progressive; JPEG 2000 is its first
/// part, with high throughput or without it. Null for one that is not read.
const Compression* compression_of(std::string_view syntax) {
  if (syntax == dicom_rle_syntax) return &rle;
  constexpr std::string_view jpegs = "1.2.840.10008.1.2.4.";
  if (!syntax.starts_with(jpegs)) return nullptr;
  syntax.remove_prefix(jpegs.size());
  const auto is_one_of = [syntax](std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, syntax) != all.end();
  };
  if (is_one_of({"50", "51", "53", "57", "70"})) return &jpeg;
  if (is_one_of({"80", "81"})) return &jpeg_ls;
  if (is_one_of({"90", "91", "201", "202", "203"})) return &jpeg_2000;
  return nullptr;
}

}  // namespace

void require_stated(const DicomFile& file, const StatedFrame& stated, Bytes data) {
  if (stated.columns != file.columns || stated.rows != file.rows || stated.channels != 1)
    throw DecodeFailure{"its compressed pixels are " + std::to_string(stated.columns) + " x " +
                        std::to_string(stated.rows) + " with " + std::to_string(stated.channels) +
                        " channels, its header states " + std::to_string(file.columns) + " x " +
                        std::to_string(file.rows) + " with 1"};
  if (stated.bits > 16)
    throw DecodeFailure{"its compressed pixels have " + std::to_string(stated.bits) + " bits, up to 16 are decoded"};
  const std::int64_t needed = stated.bits > 8 ? 2 : 1;
  if (file.numbers.bytes() != needed && !(stated.widened && file.numbers.bytes() == 2))
    throw DecodeFailure{"its compressed pixels have " + std::to_string(stated.bits) + " bits, its header states " +
                        std::to_string(8 * file.numbers.bytes())};
  const std::int64_t bytes = file.frame_bytes();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (bytes > most || std::ssize(data) > most)
    throw DecodeFailure{"its compressed frames are too large: up to 2 GiB are decoded"};
  if (const auto free = free_host_bytes_below(static_cast<std::size_t>(2 * bytes)))
    throw DecodeFailure{"its frames of " + std::to_string(bytes) + " bytes do not fit into memory, " +
                        std::to_string(*free) + " are free"};
}

std::string dicom_refusal(const std::string& transfer_syntax) {
  const Compression* const compression = compression_of(transfer_syntax);
  if (compression == nullptr)
    return "its pixels are compressed (transfer syntax " + transfer_syntax +
           "): RLE, JPEG, JPEG-LS and JPEG 2000 are read; gdcmconv --raw makes a file that is read";
  if (compression->decode != nullptr) return "";
  return "its pixels are compressed by " + std::string(compression->name) + " (transfer syntax " + transfer_syntax +
         "), which is read by builds with " + std::string(compression->library) + "; scripts/setup installs it";
}

std::vector<std::byte> decoded_dicom_frame(const DicomFile& file, Bytes data) {
  const Compression* const compression = compression_of(file.transfer_syntax);
  if (compression == nullptr || compression->decode == nullptr)
    throw DecodeFailure{dicom_refusal(file.transfer_syntax)};
  return compression->decode(file, data);
}

}  // namespace threadscape::io
