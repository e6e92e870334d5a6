#include "compute/io/meshes/ply_header.h"

#include <algorithm>
#include <cctype>
#include <charconv>
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

/// The beginning of a word for a message, whose other characters than those of ASCII text are '?'.
std::string readable(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return word.size() > text.size() ? text + "..." : text;
}

bool begins_as_ply(std::string_view text) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return text.size() >= 3 && std::ranges::equal(text.substr(0, 3), "ply"sv, same);
}

}  // namespace

void check_ply_header(const std::filesystem::path& path, const std::stop_token& stop) {
  InputFile file(path, stop);
  std::vector<std::byte> beginning;
  file.read_on(beginning, longest_header);
  std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  if (!begins_as_ply(text)) return;
  std::int64_t elements = 0;
  while (!text.empty()) {
    std::istringstream words{std::string(take_line(text))};
    std::string keyword, name, digits;
    std::uint64_t count = 0;
    words >> keyword;
    if (keyword == "end_header") return;
    if (keyword != "element" || !(words >> name >> digits)) continue;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (parsed.ec == std::errc::invalid_argument)
      throw UsageError("its header counts '" + readable(digits) + "' elements '" + readable(name) + "'");
    // An element takes a byte at least, and a count that 64 bits do not hold is more than any file has.
    if (parsed.ec != std::errc{} || count > static_cast<std::uint64_t>(file.size() - elements))
      throw UsageError("its header counts " + readable(digits) + " elements '" + readable(name) + "', it has " +
                       std::to_string(file.size()) + " bytes");
    elements += static_cast<std::int64_t>(count);
  }
  throw UsageError("its header does not end with end_header within " + std::to_string(longest_header) +
                   " bytes: the file is cut off or damaged");
}

}  // namespace threadscape::io
