// Volumes in NRRD files (teem.sourceforge.net/nrrd/format.html) and NumPy arrays.

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/io/deflate.h"
#include "compute/io/numbers/npy_array.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace {

/// The part of a NRRD header that is read.
struct NrrdHeader {
  std::string type, encoding, endian = "little", spacings, sizes, data_file;
  std::int64_t dimension = 0;
  std::size_t size = 0;  ///< In bytes; 0 where the header has no end.
};

NrrdHeader parse_nrrd(std::string_view text) {
  NrrdHeader header;
  std::size_t at = std::min(text.find('\n'), text.size() - 1) + 1;  // The first line is the signature.
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return header;
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      header.size = at;
      return header;
    }
    const std::size_t colon = line.find(": ");
    if (line[0] == '#' || colon == std::string_view::npos) continue;  // Comments, and "key:=value" pairs.
    const std::string_view key = line.substr(0, colon);
    const std::string value(line.substr(colon + 2));
    const std::array<std::pair<std::string_view, std::string*>, 7> texts{{{"type", &header.type},
                                                                          {"encoding", &header.encoding},
                                                                          {"endian", &header.endian},
                                                                          {"spacings", &header.spacings},
                                                                          {"sizes", &header.sizes},
                                                                          {"data file", &header.data_file},
                                                                          {"datafile", &header.data_file}}};
    for (const auto& [name, text_value] : texts)
      if (key == name) *text_value = value;
    if (key == "dimension") std::from_chars(value.data(), value.data() + value.size(), header.dimension);
  }
  return header;
}

/// The names of the types that are read; VolumeNumber has the same order.
constexpr std::array<std::array<std::string_view, 4>, 5> nrrd_types{{{"uchar", "unsigned char", "uint8", "uint8_t"},
                                                                     {"ushort", "unsigned short", "uint16", "uint16_t"},
                                                                     {"short", "signed short", "int16", "int16_t"},
                                                                     {"float", "", "", ""},
                                                                     {"double", "", "", ""}}};

}  // namespace

void VolumeReader::open_nrrd(const Shape&) {
  const std::vector<std::byte> beginning = read_beginning();
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  if (!text.starts_with("NRRD000")) fail("it is no NRRD file");
  const NrrdHeader header = parse_nrrd(text);
  if (header.size == 0 && std::cmp_equal(text.size(), limit_of(Limit::header_bytes)))
    fail("its header has no end; " + limit_text(Limit::header_bytes));
  if (header.size == 0) fail("it is truncated");
  std::array<std::int64_t, 3> sizes{};
  if (std::istringstream list(header.sizes); header.dimension != 3 || !(list >> sizes[0] >> sizes[1] >> sizes[2]))
    fail("its dimension is " + std::to_string(header.dimension) + " and its sizes are '" + header.sizes +
         "': a volume has 3");
  if (!header.data_file.empty()) fail("its numbers are in another file, which is read from .mhd files only");
  const auto* const type = std::ranges::find_if(nrrd_types, [&](const auto& names) {
    return !header.type.empty() && std::ranges::count(names, header.type) > 0;
  });
  if (type == nrrd_types.end())
    fail("its type is '" + header.type + "': uchar, ushort, short, float and double are read");
  numbers_.type = static_cast<VolumeNumber>(type - nrrd_types.begin());
  if (header.endian != "little" && numbers_.bytes() > 1) fail("its endian is " + header.endian + ": little is read");
  set_extents(sizes[0], sizes[1], sizes[2]);
  if (!header.spacings.empty() && header.spacings.find("nan") == std::string::npos) {
    std::array<double, 3> spacings{};  // A missing length stays 0, which is refused.
    std::istringstream(header.spacings) >> spacings[0] >> spacings[1] >> spacings[2];
    set_spacing(spacings, "spacings: " + header.spacings);
  }
  if (header.encoding == "raw") return open_numbers(path_, static_cast<std::int64_t>(header.size));
  if (header.encoding != "gzip" && header.encoding != "gz")
    fail("its encoding is '" + header.encoding + "': raw and gzip are read");
  try {
    const std::vector<std::byte> file = load_bytes(path_, Limit::file_bytes, options_.stop);
    memory_ = inflated(Bytes(file).subspan(header.size), shape_.items() * numbers_.bytes(), Deflate::zlib_or_gzip);
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
}

void VolumeReader::open_npy(const Shape&) {
  try {
    const NpyHeader header = read_npy_header(read_beginning());
    if (header.extents.size() != 3) fail("its array " + header.text() + " is no volume, which has the indices y, z, x");
    set_extents(header.extents[2], header.extents[1], header.extents[0]);
    constexpr std::array<std::pair<char, int>, 5> plain{{{'u', 1}, {'u', 2}, {'i', 2}, {'f', 4}, {'f', 8}}};
    const auto* const type = std::ranges::find(plain, std::pair(header.kind, header.bytes));
    if (type != plain.end() && !header.swapped && !header.fortran) {
      numbers_.type = static_cast<VolumeNumber>(type - plain.begin());
      return open_numbers(path_, static_cast<std::int64_t>(header.size));
    }
    const std::vector<std::byte> file = load_bytes(path_, Limit::file_bytes, options_.stop);
    const NpyNumbers numbers(header, Bytes(file).subspan(header.size));
    const std::vector<std::int64_t> strides = header.strides();
    memory_.resize(static_cast<std::size_t>(shape_.items()) * sizeof(float));
    auto* to = reinterpret_cast<float*>(memory_.data());
    for (std::int64_t y = 0; y < shape_.depth; ++y)
      for (std::int64_t z = 0; z < shape_.height; ++z)
        for (std::int64_t x = 0; x < shape_.width; ++x)
          *to++ = static_cast<float>(numbers.at(y * strides[0] + z * strides[1] + x * strides[2]));
    numbers_.type = VolumeNumber::f32;
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
}

}  // namespace threadscape::io
