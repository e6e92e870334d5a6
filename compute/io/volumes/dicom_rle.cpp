#include "compute/io/volumes/dicom_rle.h"

#include <array>
#include <cstring>

namespace threadscape::io {

namespace {

constexpr std::size_t header_bytes = 64;  // The number of segments and the offsets of up to 15, four bytes each.

/// Decodes a segment, which holds one byte of every pixel, into every `stride`-th byte.
void decode_segment(Bytes segment, std::byte* to, std::size_t pixels, std::size_t stride) {
  std::size_t done = 0;
  for (std::size_t at = 0; done < pixels;) {
    if (at >= segment.size()) throw DecodeFailure{"its compressed pixels are truncated"};
    const auto control = std::to_integer<std::size_t>(segment[at++]);
    if (control == 128) continue;  // This value stands for nothing.
    const bool repeats = control > 128;
    const std::size_t count = repeats ? 257 - control : control + 1, stored = repeats ? 1 : count;
    if (stored > segment.size() - at || count > pixels - done) throw DecodeFailure{"its compressed pixels are damaged"};
    for (std::size_t i = 0; i < count; ++i)
      to[(done + i) * stride] = segment[at + (repeats ? 0 : i)];
    at += stored;
    done += count;
  }
}

}  // namespace

bool run_lengths_suffice(const DicomFile& file, std::int64_t bytes) {
  constexpr std::int64_t most_bytes_per_byte = 64;  // A run of 128 equal bytes takes two.
  return file.frame_bytes() / most_bytes_per_byte <= bytes;
}

std::vector<std::byte> decoded_rle_frame(const DicomFile& file, Bytes data) {
  const auto stride = static_cast<std::size_t>(file.numbers.bytes());
  std::array<std::uint32_t, header_bytes / sizeof(std::uint32_t)> header{};
  if (data.size() < header_bytes) throw DecodeFailure{"its compressed pixels are truncated"};
  std::memcpy(header.data(), data.data(), header_bytes);
  if (header[0] != stride)
    throw DecodeFailure{"its compressed pixels have " + std::to_string(header[0]) + " segments, but " +
                        std::to_string(stride) + " bytes each"};
  const auto bytes = static_cast<std::size_t>(file.frame_bytes());
  if (!run_lengths_suffice(file, static_cast<std::int64_t>(data.size())))
    throw DecodeFailure{"its compressed pixels are truncated"};
  std::vector<std::byte> decoded(bytes);
  for (std::size_t i = 0; i < stride; ++i) {
    const std::size_t begin = header[1 + i], end = i + 1 < stride ? header[2 + i] : data.size();
    if (begin < header_bytes || begin > end || end > data.size())
      throw DecodeFailure{"its compressed pixels are damaged"};
    // The first segment holds the most significant bytes.
    decode_segment(data.subspan(begin, end - begin), decoded.data() + (stride - 1 - i), bytes / stride, stride);
  }
  return decoded;
}

}  // namespace threadscape::io
