#include "compute/io/numbered_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/folder_reader.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// The place for a number in a name, which begins with a percent sign and ends with "d".
struct NumberPlace {
  std::size_t begin = 0, end = 0;  ///< The characters of the place, end exclusive.
  int width = 0;                   ///< At least so many characters.
  char filling = ' ';              ///< What shorter numbers are filled up with.
};

/// The only place for a number in a file name; nothing if there is none or more than one.
std::optional<NumberPlace> place_of(const std::string& name) {
  std::optional<NumberPlace> found;
  for (std::size_t begin = name.find('%'); begin != std::string::npos; begin = name.find('%', begin + 1)) {
    constexpr std::size_t most_digits = 3;
    std::size_t end = begin + 1;
    NumberPlace place{.begin = begin, .filling = end < name.size() && name[end] == '0' ? '0' : ' '};
    while (end < name.size() && end <= begin + most_digits && name[end] >= '0' && name[end] <= '9')
      place.width = place.width * 10 + (name[end++] - '0');
    // Numbers have at most 19 digits.
    if (end >= name.size() || name[end] != 'd' || place.width > 18) continue;
    if (found) return std::nullopt;
    place.end = end + 1;
    found = place;
  }
  return found;
}

std::string filled(const std::string& name, const NumberPlace& place, std::int64_t number) {
  std::string digits = std::to_string(number);
  if (const auto width = static_cast<std::size_t>(place.width); digits.size() < width)
    digits.insert(0, width - digits.size(), place.filling);
  return name.substr(0, place.begin) + digits + name.substr(place.end);
}

/// Returns true if `a` comes before `b`, with runs of digits compared as numbers: "f9.png" is before "f10.png".
bool natural_less(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto run = [&](const std::string& text, std::size_t& at) {
        while (at < text.size() && text[at] == '0')
          ++at;
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at]))
          ++at;
        return text.substr(begin, at - begin);
      };
      const std::string left = run(a, i), right = run(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

void require_frames(std::size_t count) {
  if (std::cmp_greater(count, limit_of(Limit::frames)))
    throw DecodeFailure{"it has too many; " + limit_text(Limit::frames)};
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> pictures;
  FolderReader reader(folder);
  while (auto path = reader.next()) {
    if (has_picture_extension(*path)) pictures.push_back(std::move(*path));
    require_frames(pictures.size());
  }
  if (reader.error()) throw DecodeFailure{reader.error().message()};
  std::ranges::sort(pictures, [](const fs::path& a, const fs::path& b) {
    return natural_less(a.filename().string(), b.filename().string());
  });
  return pictures;
}

/// The lowest number with which a file of the folder has the name. It is found in the list of the folder, because a
/// sequence may begin anywhere.
std::optional<std::int64_t> lowest_number(const fs::path& folder, const std::string& name, const NumberPlace& place) {
  const std::string prefix = name.substr(0, place.begin), suffix = name.substr(place.end);
  std::optional<std::int64_t> lowest;
  for (FolderReader reader(folder); const auto path = reader.next();) {
    const std::string file = path->filename().string();
    if (!file.starts_with(prefix) || !file.ends_with(suffix) || file.size() <= prefix.size() + suffix.size()) continue;
    std::string digits = file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
    digits.erase(0, std::min(digits.find_first_not_of(' '), digits.size()));
    std::int64_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size() || number < 0) continue;
    if (filled(name, place, number) == file && (!lowest || number < *lowest)) lowest = number;
  }
  return lowest;
}

}  // namespace

bool is_number_pattern(const fs::path& path) {
  return place_of(path.filename().string()).has_value();
}

bool reads_numbered_files(const fs::path& path) {
  std::error_code unknown;
  return is_number_pattern(path) && !fs::exists(path, unknown);
}

std::string number_name(const fs::path& pattern, std::int64_t number) {
  const std::string name = pattern.filename().string();
  const std::optional<NumberPlace> place = place_of(name);
  if (!place) throw UsageError("'" + pattern.string() + "' has no place for a number, such as frame_%04d.png");
  return (pattern.parent_path() / filled(name, *place, number)).string();
}

std::vector<fs::path> stack_of_pictures(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return pictures_in(path);
  std::vector<fs::path> pictures;
  const std::string name = path.filename().string();
  const std::optional<NumberPlace> place = place_of(name);
  if (!place) return pictures;
  const std::optional<std::int64_t> lowest = lowest_number(path.parent_path(), name, *place);
  if (!lowest) return pictures;
  for (std::int64_t number = *lowest;; ++number) {
    fs::path picture = path.parent_path() / filled(name, *place, number);
    if (!fs::exists(picture, error)) return pictures;
    pictures.push_back(std::move(picture));
    require_frames(pictures.size());
  }
}

fs::path numbered_path(const fs::path& path, std::int64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
  fs::path numbered = path;
  numbered.replace_filename(path.stem().string() + "_" + digits + path.extension().string());
  return numbered;
}

}  // namespace threadscape::io
