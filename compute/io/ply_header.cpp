#include "compute/io/ply_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/input_file.h"

namespace threadscape::io {

namespace {

using namespace std::string_view_literals;

constexpr std::int64_t longest_header = 64 * 1024;

constexpr std::array<std::string_view, 3> ply_formats{"ascii", "binary_little_endian", "binary_big_endian"};
constexpr std::array<std::string_view, 16> ply_types{"char",  "uchar",  "short",   "ushort", "int",   "uint",
                                                     "float", "double", "int8",    "uint8",  "int16", "uint16",
                                                     "int32", "uint32", "float32", "float64"};

bool is_type(std::string_view word) {
  return std::ranges::find(ply_types, word) != ply_types.end();
}

/// Takes the next line, which ends with LF, CR or both, from the front of `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  if (text.starts_with("\r\n"))
    text.remove_prefix(2);
  else if (!text.empty())
    text.remove_prefix(1);
  return line;
}

/// The beginning of a line for a message, whose other characters than those of ASCII text are '?'.
std::string readable(std::string_view line) {
  std::string text(line.substr(0, 40));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return line.size() > text.size() ? text + "..." : text;
}

bool begins_as_ply(std::string_view text) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return text.size() >= 3 && std::ranges::equal(text.substr(0, 3), "ply"sv, same);
}

/// Checks the lines of a header that follow the first one.
class PlyHeader {
 public:
  explicit PlyHeader(std::int64_t file_bytes) : file_bytes_(file_bytes) {}

  /// Checks the next line. Returns false if it is the last one. Throws UsageError.
  bool check(std::string_view line) {
    std::istringstream words{std::string(line)};
    std::string keyword;
    words >> keyword;
    if (keyword == "end_header") return false;
    if (keyword.empty() || keyword == "comment" || keyword == "obj_info") return true;
    if (!(keyword == "format" && is_format(words)) && !(keyword == "element" && is_element(words)) &&
        !(keyword == "property" && is_property(words)))
      throw UsageError("its header has the line '" + readable(line) + "', which is none of a PLY file");
    return true;
  }

 private:
  static bool is_format(std::istringstream& words) {
    std::string format, version;
    return words >> format >> version && std::ranges::find(ply_formats, format) != ply_formats.end() &&
           version == "1.0";
  }

  bool is_element(std::istringstream& words) {
    std::string name;
    std::uint64_t count = 0;
    if (!(words >> name >> count)) return false;
    // An element takes a byte at least.
    if (count > static_cast<std::uint64_t>(file_bytes_ - elements_))
      throw UsageError("its header counts " + std::to_string(count) + " elements '" + name + "', it has " +
                       std::to_string(file_bytes_) + " bytes");
    elements_ += static_cast<std::int64_t>(count);
    has_element_ = true;
    return true;
  }

  bool is_property(std::istringstream& words) const {
    std::string type, length, item, name;
    if (!has_element_ || !(words >> type)) return false;
    if (type == "list") return words >> length >> item >> name && is_type(length) && is_type(item);
    return words >> name && is_type(type);
  }

  std::int64_t file_bytes_, elements_ = 0;
  bool has_element_ = false;
};

}  // namespace

void check_ply_header(const std::filesystem::path& path, const std::stop_token& stop) {
  InputFile file(path, stop);
  std::vector<std::byte> beginning;
  file.read_on(beginning, longest_header);
  std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  if (!begins_as_ply(text)) return;
  if (const std::string_view first = take_line(text); first.find_last_not_of(" \t") != 2)
    throw UsageError("its first line is '" + readable(first) + "', that of a PLY file is 'ply'");
  PlyHeader header(file.size());
  while (!text.empty())
    if (!header.check(take_line(text))) return;
  throw UsageError("its header does not end with end_header within " + std::to_string(longest_header) +
                   " bytes: the file is cut off");
}

}  // namespace threadscape::io
