#include "compute/io/volumes/dicom_elements.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "compute/io/deflate.h"

namespace threadscape::io {

namespace {

constexpr std::int64_t preamble_bytes = 128;
constexpr std::array<char, 4> dicom_signature{'D', 'I', 'C', 'M'};
constexpr std::uint32_t transfer_syntax_tag = 0x00020010, undefined_length = 0xFFFFFFFF;

/// Returns whether elements of this type store their length in four bytes, after two that are not used.
bool has_long_length(std::array<char, 2> type) {
  constexpr std::array<std::string_view, 13> types{"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                   "SV", "UC", "UN", "UR", "UT", "UV"};
  return std::ranges::count(types, std::string_view(type.data(), type.size())) > 0;
}

template <class T>
T number_at(const std::byte* bytes, bool big_endian) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return big_endian ? byte_swapped(value) : value;
}

}  // namespace

bool has_dicom_signature(const InputFile& file) {
  std::array<char, dicom_signature.size()> letters{};
  return file.read_at(preamble_bytes, letters.data(), letters.size()) && letters == dicom_signature;
}

void DicomReader::read(std::int64_t at, void* to, std::size_t bytes) {
  constexpr std::size_t window = std::size_t{16} << 10;
  const auto size = static_cast<std::int64_t>(bytes);
  if (at < 0 || at > this->size() - size) throw DecodeFailure{"it is truncated"};
  if (inflated_) {
    std::memcpy(to, inflated_->data() + at, bytes);
    return;
  }
  if (at < window_start_ || at + size > window_start_ + std::ssize(window_)) {
    window_.resize(static_cast<std::size_t>(
        std::min<std::int64_t>(file_.size() - at, static_cast<std::int64_t>(std::max(window, bytes)))));
    window_start_ = at;
    if (!file_.read_at(at, window_.data(), window_.size())) throw DecodeFailure{"it is truncated"};
  }
  std::memcpy(to, window_.data() + (at - window_start_), bytes);
}

DicomElement DicomReader::next(std::int64_t at, std::int64_t end, DicomEncoding encoding) {
  // A file of zeros may be as long as the disk allows, and each eight of them are an element.
  constexpr std::int64_t max_elements = std::int64_t{1} << 22;
  if (++elements_ > max_elements) throw DecodeFailure{"it has more than " + std::to_string(max_elements) + " elements"};
  std::array<std::byte, 12> head{};
  if (end - at < dicom_item_header) throw DecodeFailure{"it is truncated"};
  read(at, head.data(), dicom_item_header);
  const bool big = encoding.big_endian;
  DicomElement element;
  element.tag = (std::uint32_t{number_at<std::uint16_t>(head.data(), big)} << 16) |
                number_at<std::uint16_t>(head.data() + 2, big);
  element.value = at + dicom_item_header;
  const bool typed = encoding.explicit_types && (element.tag >> 16) != (dicom_item >> 16);
  std::uint32_t length = 0;
  if (!typed) {
    length = number_at<std::uint32_t>(head.data() + 4, big);
  } else {
    std::memcpy(element.type.data(), head.data() + 4, element.type.size());
    if (has_long_length(element.type)) {
      if (end - at < std::ssize(head)) throw DecodeFailure{"it is truncated"};
      read(at, head.data(), head.size());
      length = number_at<std::uint32_t>(head.data() + 8, big);
      element.value = at + std::ssize(head);
    } else {
      length = number_at<std::uint16_t>(head.data() + 6, big);
    }
  }
  element.length = length == undefined_length ? -1 : std::int64_t{length};
  if (element.length > end - element.value) throw DecodeFailure{"it is truncated"};
  return element;
}

std::string DicomReader::text(const DicomElement& element, std::int64_t max_length) {
  if (!element.has_length() || element.length > max_length) return "";
  std::string text(static_cast<std::size_t>(element.length), '\0');
  read(element.value, text.data(), text.size());
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0'))
    text.pop_back();
  // The text appears in messages of one line.
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text.substr(std::min(text.size(), text.find_first_not_of(' ')));
}

std::optional<std::uint16_t> DicomReader::u16(const DicomElement& element, DicomEncoding encoding) {
  if (element.length < 2) return {};
  std::array<std::byte, 2> bytes{};
  read(element.value, bytes.data(), bytes.size());
  return number_at<std::uint16_t>(bytes.data(), encoding.big_endian);
}

DicomStart DicomReader::start() {
  if (!has_dicom_signature(file_)) throw DecodeFailure{"it is no DICOM file: the letters DICM are missing at byte 128"};
  DicomStart start;
  std::int64_t at = preamble_bytes + std::ssize(dicom_signature);
  while (at < size()) {
    std::array<std::byte, 2> group{};
    read(at, group.data(), group.size());
    if (number_at<std::uint16_t>(group.data(), false) != 2) break;
    const DicomElement element = next(at, size(), {});
    if (!element.has_length()) throw DecodeFailure{"it is damaged: its first elements have no length"};
    if (element.tag == transfer_syntax_tag) start.transfer_syntax = text(element);
    at = element.value + element.length;
  }
  start.dataset = at;
  const std::string& syntax = start.transfer_syntax;
  if (syntax.empty()) throw DecodeFailure{"it states no transfer syntax"};
  if (syntax == "1.2.840.10008.1.2.1.99") {
    if (size() - at > limit_of(Limit::file_bytes))
      throw DecodeFailure{"it is too long to be decompressed; " + limit_text(Limit::file_bytes)};
    std::vector<std::byte> data(static_cast<std::size_t>(size() - at));
    if (!file_.read_at(at, data.data(), data.size())) throw DecodeFailure{"it is truncated"};
    inflated_ = std::make_shared<const std::vector<std::byte>>(inflated_to_end(data, Deflate::raw));
    start.dataset = 0;
    return start;
  }
  if (syntax == "1.2.840.10008.1.2")
    start.encoding.explicit_types = false;
  else if (syntax == "1.2.840.10008.1.2.2")
    start.encoding.big_endian = true;
  else
    start.compressed = syntax != "1.2.840.10008.1.2.1";
  return start;
}

DicomFragments DicomReader::fragments(const DicomElement& pixels) {
  DicomFragments found;
  std::vector<std::uint32_t> table;
  bool first = true;
  for (std::int64_t at = pixels.value;;) {
    const DicomElement item = next(at, size(), {});
    found.end = item.value;
    if (item.tag == dicom_sequence_end) break;
    if (item.tag != dicom_item || !item.has_length())
      throw DecodeFailure{"it is damaged: its compressed pixels are not stored in items"};
    at = item.value + item.length;
    if (!first) {
      found.parts.push_back({item.value, item.length});
    } else if (item.length <= limit_of(Limit::frames) * std::int64_t{4}) {
      table.resize(static_cast<std::size_t>(item.length) / sizeof table[0]);
      if (!table.empty()) read(item.value, table.data(), table.size() * sizeof table[0]);
    }
    first = false;
  }
  // Offsets are counted from the first piece on.
  for (const std::uint32_t offset : table)
    if (!found.parts.empty()) found.frame_offsets.push_back(found.parts[0].offset - dicom_item_header + offset);
  return found;
}

}  // namespace threadscape::io
