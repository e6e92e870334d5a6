// Volumes in MetaImage and NRRD files: their numbers follow the header or are in one or more other files, plain,
// compressed or as text.

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/machine.h"
#include "compute/io/bzip2.h"
#include "compute/io/deflate.h"
#include "compute/io/volumes/text_header.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace {

/// Where the numbers begin in a file: behind `from` bytes and this many lines.
std::size_t after_lines(Bytes file, std::size_t from, std::int64_t lines) {
  for (; lines > 0; --lines) {
    const auto end = std::find(file.begin() + static_cast<std::ptrdiff_t>(from), file.end(), std::byte{'\n'});
    if (end == file.end()) throw DecodeFailure{"it has fewer lines than its header skips"};
    from = static_cast<std::size_t>(end - file.begin()) + 1;
  }
  return from;
}

/// Reads this many numbers that are separated by blanks, commas or ends of lines.
std::vector<std::byte> numbers_of_text(Bytes text, std::int64_t count) {
  // A number takes two characters at least. The check keeps small files from asking for much memory.
  if (count > std::ssize(text)) throw DecodeFailure{"it has fewer numbers than its extents ask for"};
  std::vector<std::byte> numbers(static_cast<std::size_t>(count) * sizeof(double));
  const char* at = reinterpret_cast<const char*>(text.data());
  const char* const end = at + text.size();
  constexpr std::string_view blank = " \t\r\n,";
  for (std::int64_t i = 0; i < count; ++i) {
    while (at < end && blank.find(*at) != std::string_view::npos)
      ++at;
    if (at < end && *at == '+') ++at;
    double number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec == std::errc::invalid_argument)
      throw DecodeFailure{at == end
                              ? "it has " + std::to_string(i) + " numbers, its extents ask for " + std::to_string(count)
                              : "number " + std::to_string(i + 1) + " of it is none"};
    at = parsed.ptr;
    std::memcpy(numbers.data() + static_cast<std::size_t>(i) * sizeof(double), &number, sizeof(double));
  }
  return numbers;
}

/// Drops the bytes before the numbers.
std::vector<std::byte> without_beginning(std::vector<std::byte> content, std::int64_t skipped) {
  content.erase(content.begin(), content.begin() + skipped);
  return content;
}

}  // namespace

void VolumeReader::open_meta(const Shape&) {
  open_text_header(read_metaimage_header);
}

void VolumeReader::open_nrrd(const Shape&) {
  open_text_header(read_nrrd_header);
}

void VolumeReader::open_text_header(TextHeader (*read_header)(std::string_view)) {
  try {
    std::vector<std::byte> content = read_beginning();
    const TextHeader header = read_header({reinterpret_cast<const char*>(content.data()), content.size()});
    numbers_ = header.numbers;
    of_views_ = header.of_views;
    add_note(header.note);
    set_extents(header.extents[0], header.extents[1], header.extents[2]);
    if (header.spacing) {
      const auto& [x, z, y] = *header.spacing;
      set_spacing({x, z, y},
                  "its voxels are " + std::to_string(x) + " x " + std::to_string(z) + " x " + std::to_string(y));
    }
    const std::int64_t need = shape_.items() * numbers_.bytes();
    if (header.files.size() < 2 && header.coding == NumberCoding::raw && header.skipped_lines == 0) {
      const std::int64_t offset = header.skipped_bytes < 0 ? -1 : header.skipped_bytes;
      if (header.files.empty()) return take_numbers(path_, offset < 0 ? -1 : header.size + offset);
      const std::filesystem::path numbers = data_file(header.files.front());
      open_file(numbers);
      return take_numbers(numbers, offset);
    }
    if (const auto parts = std::ssize(header.files); parts > 1 && shape_.depth % parts != 0)
      fail("its " + std::to_string(shape_.depth) + " layers are in " + std::to_string(parts) +
           " files, which cannot have equal parts of them");
    if (const auto free = free_host_bytes_below(static_cast<std::size_t>(need)))
      fail("its numbers need " + std::to_string(need) + " bytes, " + std::to_string(*free) + " are free");
    if (header.files.empty()) {
      file_->read_rest(content, Limit::file_bytes);
      append_numbers(header, content, header.size, need);
    } else {
      for (const std::string& name : header.files)
        append_numbers(header, load_bytes(data_file(name), Limit::file_bytes, options_.stop), 0,
                       need / std::ssize(header.files));
    }
    file_.reset();
    if (header.coding == NumberCoding::text) numbers_ = {.type = VolumeNumber::f64};
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
}

void VolumeReader::append_numbers(const TextHeader& header, Bytes file, std::int64_t from, std::int64_t bytes) {
  const Bytes content = file.subspan(after_lines(file, static_cast<std::size_t>(from), header.skipped_lines));
  const std::int64_t skipped = std::max<std::int64_t>(header.skipped_bytes, 0);
  std::vector<std::byte> numbers;
  switch (header.coding) {
    case NumberCoding::raw: {
      const std::int64_t begin = header.skipped_bytes < 0 ? std::ssize(content) - bytes : skipped;
      if (begin < 0 || std::ssize(content) - begin < bytes) throw DecodeFailure{"it is truncated"};
      numbers.assign(content.begin() + begin, content.begin() + begin + bytes);
      break;
    }
    case NumberCoding::deflate:
      numbers = without_beginning(inflated(content, bytes + skipped, Deflate::zlib_or_gzip), skipped);
      break;
    case NumberCoding::bzip2:
      numbers = without_beginning(unpacked_bzip2(content, bytes + skipped), skipped);
      break;
    case NumberCoding::text:
      if (skipped > std::ssize(content)) throw DecodeFailure{"it is truncated"};
      numbers = numbers_of_text(content.subspan(static_cast<std::size_t>(skipped)), bytes / numbers_.bytes());
      break;
  }
  memory_.insert(memory_.end(), numbers.begin(), numbers.end());
}

}  // namespace threadscape::io
