#include "compute/io/numbers/npy_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "compute/io/file_extension.h"
#include "compute/io/limits.h"
#include "compute/io/numbers/half.h"
#include "compute/io/zip_archive.h"

namespace threadscape::io {

namespace {

constexpr std::string_view npy_magic{"\x93NUMPY", 6};

[[noreturn]] void corrupt_npy(const std::string& why) {
  throw DecodeFailure{"corrupt NPY: " + why};
}

/// What follows a key of the header's dictionary, without the space before it.
std::string_view entry_of(std::string_view dictionary, std::string_view key) {
  const std::size_t at = dictionary.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) corrupt_npy("its header has no " + std::string(key));
  const std::string_view rest = dictionary.substr(at + key.size() + 3);
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

std::vector<std::int64_t> parse_extents(std::string_view text) {
  constexpr std::int64_t max_count = std::int64_t{1} << 62;
  constexpr std::size_t max_axes = 32;
  std::vector<std::int64_t> extents;
  std::int64_t count = 1;
  if (!text.starts_with('(')) corrupt_npy("its shape is no tuple");
  for (std::size_t at = 1;;) {
    at = text.find_first_not_of(" ,", at);
    if (at == std::string_view::npos) corrupt_npy("its shape has no end");
    if (text[at] == ')') return extents;
    std::int64_t extent = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (read.ec != std::errc{} || extent < 0 || extents.size() == max_axes)
      corrupt_npy("its shape is not made of numbers");
    if (extent > 0 && count > max_count / extent) corrupt_npy("its shape is too large");
    count *= std::max<std::int64_t>(extent, 1);
    extents.push_back(extent);
    at = static_cast<std::size_t>(read.ptr - text.data());
  }
}

template <class T>
double number_from(const std::array<std::byte, 8>& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value);
}

}  // namespace

std::vector<std::int64_t> NpyHeader::strides() const {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t step = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t axis = fortran ? i : extents.size() - 1 - i;
    strides[axis] = step;
    step *= extents[axis];
  }
  return strides;
}

std::int64_t NpyHeader::count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents)
    count *= extent;
  return count;
}

std::string NpyHeader::text() const {
  std::string list;
  for (const std::int64_t extent : extents)
    list += (list.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + list + ") of " + kind + std::to_string(bytes);
}

bool is_npy(Bytes file) {
  return file.size() >= npy_magic.size() && std::memcmp(file.data(), npy_magic.data(), npy_magic.size()) == 0;
}

NpyHeader read_npy_header(Bytes beginning) {
  if (!is_npy(beginning)) corrupt_npy("it does not begin as one");
  const auto version = little_endian_at(beginning, 6, 1);
  if (version < 1 || version > 3) corrupt_npy("its version is " + std::to_string(version) + ", not 1 to 3");
  const std::size_t length_bytes = version == 1 ? 2 : 4, start = 8 + length_bytes;
  const auto length = static_cast<std::size_t>(little_endian_at(beginning, 8, length_bytes));
  if (std::cmp_greater(length, limit_of(Limit::header_bytes)))
    throw DecodeFailure{"its header is too long; " + limit_text(Limit::header_bytes)};
  if (beginning.size() < start + length) throw DecodeFailure{"it is truncated"};
  const std::string_view dictionary(reinterpret_cast<const char*>(beginning.data()) + start, length);

  NpyHeader header;
  header.size = start + length;
  header.extents = parse_extents(entry_of(dictionary, "shape"));
  header.fortran = entry_of(dictionary, "fortran_order").starts_with("True");
  const std::string_view type = entry_of(dictionary, "descr");
  const std::string_view name = type.substr(0, std::min<std::size_t>(type.find('\'', 1), 12));
  static constexpr std::array<std::string_view, 12> known{"b1", "u1", "u2", "u4", "u8", "i1",
                                                          "i2", "i4", "i8", "f2", "f4", "f8"};
  if (name.size() != 4 || name[0] != '\'' || std::ranges::count(known, name.substr(2)) == 0)
    throw DecodeFailure{"its numbers are of type " + std::string(name) + "': " + enumerated(known) + " are read"};
  header.kind = name[2];
  header.bytes = name[3] - '0';
  const bool big = name[1] == '>';
  header.swapped = header.bytes > 1 && big == (std::endian::native == std::endian::little);
  return header;
}

NpyNumbers::NpyNumbers(const NpyHeader& header, Bytes numbers) : header_(header), numbers_(numbers) {
  if (static_cast<std::size_t>(header.count()) > numbers.size() / static_cast<std::size_t>(header.bytes))
    throw DecodeFailure{"it is truncated"};
}

double NpyNumbers::at(std::int64_t index) const {
  std::array<std::byte, 8> bytes{};
  const auto count = static_cast<std::size_t>(header_.bytes);
  std::memcpy(bytes.data(), numbers_.data() + static_cast<std::size_t>(index) * count, count);
  if (header_.swapped) std::reverse(bytes.begin(), bytes.begin() + header_.bytes);
  switch (header_.kind) {
    case 'b':
      // NumPy writes 0 and 1, and takes every other byte for true.
      return bytes[0] == std::byte{0} ? 0.0 : 1.0;
    case 'f':
      if (header_.bytes == 2) return Half{std::bit_cast<std::uint16_t>(std::array{bytes[0], bytes[1]})};
      return header_.bytes == 4 ? number_from<float>(bytes) : number_from<double>(bytes);
    case 'i':
      return header_.bytes == 1   ? number_from<std::int8_t>(bytes)
             : header_.bytes == 2 ? number_from<std::int16_t>(bytes)
             : header_.bytes == 4 ? number_from<std::int32_t>(bytes)
                                  : number_from<std::int64_t>(bytes);
    default:
      return header_.bytes == 1   ? number_from<std::uint8_t>(bytes)
             : header_.bytes == 2 ? number_from<std::uint16_t>(bytes)
             : header_.bytes == 4 ? number_from<std::uint32_t>(bytes)
                                  : number_from<std::uint64_t>(bytes);
  }
}

std::string npy_header_text(const std::string& type, const std::vector<std::int64_t>& extents) {
  std::string shape;
  for (const std::int64_t extent : extents)
    shape += std::to_string(extent) + ", ";
  std::string dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t start = 10, alignment = 64;
  dictionary.append(alignment - 1 - (start + dictionary.size()) % alignment, ' ').push_back('\n');
  std::string header(npy_magic);
  header.append({'\1', '\0', static_cast<char>(dictionary.size() & 0xFF), static_cast<char>(dictionary.size() >> 8)});
  return header + dictionary;
}

std::vector<std::byte> first_array_of_npz(Bytes archive, std::string& note) {
  std::vector<std::byte> first;
  int arrays = 0;
  for (const ZipEntry& entry : zip_directory(archive))
    if (entry.name.ends_with(".npy") && ++arrays == 1) first = unzipped(archive, entry);
  if (arrays == 0) throw DecodeFailure{"it has no array"};
  if (arrays > 1) note = "it has " + std::to_string(arrays) + " arrays, of which the first is read";
  return first;
}

}  // namespace threadscape::io
