#pragma once
// The elements that DICOM files consist of: a tag, a type, a length and a value.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/io/input_file.h"
#include "compute/io/volumes/dicom_header.h"

namespace threadscape::io {

/// Tags are group * 65536 + number.
inline constexpr std::uint32_t dicom_item = 0xFFFEE000, dicom_item_end = 0xFFFEE00D, dicom_sequence_end = 0xFFFEE0DD;
inline constexpr std::int64_t dicom_item_header = 8;  ///< Bytes of the tag and the length of an item.

/// How elements are stored.
struct DicomEncoding {
  bool explicit_types = true;  ///< Each element states its type.
  bool big_endian = false;
};

struct DicomElement {
  std::uint32_t tag = 0;
  std::array<char, 2> type{};  ///< Two capital letters; zeros where the file states none.
  std::int64_t value = 0;      ///< Where the value begins, in bytes from the beginning of the file.
  std::int64_t length = 0;     ///< Bytes of the value; negative where a delimiter ends it.

  [[nodiscard]] bool has_length() const { return length >= 0; }
  [[nodiscard]] bool is_sequence() const { return !has_length() || type == std::array{'S', 'Q'}; }
  [[nodiscard]] bool is_of_unknown_type() const { return type == std::array{'U', 'N'}; }
  [[nodiscard]] bool is_of_words() const { return type == std::array{'O', 'W'}; }
  /// Compressed pixels: the items of such an element are pieces of them and hold no elements.
  [[nodiscard]] bool is_in_pieces() const { return !has_length() && (type == std::array{'O', 'B'} || is_of_words()); }
};

/// The end of the part of a file that says how the rest is stored.
struct DicomStart {
  std::string transfer_syntax;
  DicomEncoding encoding;
  bool compressed = false;   ///< The pixels are compressed.
  std::int64_t dataset = 0;  ///< Where the elements begin that describe the pixels.
};

/// The pieces that compressed pixels are stored in.
struct DicomFragments {
  std::vector<DicomPart> parts;
  std::vector<std::int64_t> frame_offsets;  ///< Where the items of the frames' first pieces begin; may be empty.
  std::int64_t end = 0;                     ///< Where the element after them begins.
};

[[nodiscard]] bool has_dicom_signature(const InputFile& file);

/// Reads elements. Memory is taken for values that are asked for alone. All functions throw DecodeFailure for files
/// that are truncated or damaged.
class DicomReader {
 public:
  /// The file outlives the reader.
  explicit DicomReader(const InputFile& file) : file_(file) {}

  [[nodiscard]] std::int64_t size() const { return inflated_ ? std::ssize(*inflated_) : file_.size(); }
  /// The dataset of a file that is compressed as a whole, after start(); null for other files.
  [[nodiscard]] const std::shared_ptr<const std::vector<std::byte>>& inflated() const { return inflated_; }
  [[nodiscard]] DicomStart start();
  /// The element that begins at `at` and whose value ends at `end` at the latest.
  [[nodiscard]] DicomElement next(std::int64_t at, std::int64_t end, DicomEncoding encoding);
  /// A value as text without padding; "" for values of more bytes than `max_length`.
  [[nodiscard]] std::string text(const DicomElement& element, std::int64_t max_length = 1024);
  [[nodiscard]] std::optional<std::uint16_t> u16(const DicomElement& element, DicomEncoding encoding);
  [[nodiscard]] DicomFragments fragments(const DicomElement& pixels);

 private:
  void read(std::int64_t at, void* to, std::size_t bytes);

  const InputFile& file_;
  std::shared_ptr<const std::vector<std::byte>> inflated_;
  std::vector<std::byte> window_;  ///< A part of the file, so that small elements are not read one by one.
  std::int64_t window_start_ = 0;
  std::int64_t elements_ = 0;
};

}  // namespace threadscape::io
