#include "compute/io/numbered_files.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "compute/io/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// A printf-like conversion of a number in a file name: "%d", "%4d" or "%04d". `length` is 0 where there is none.
struct Pattern {
  std::size_t at = std::string::npos, length = 0;
  int digits = 0;      ///< The minimum number of characters.
  bool zeros = false;  ///< Shorter numbers are padded with zeros instead of spaces.
};
Pattern find_pattern(const std::string& text) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    std::size_t end = at + 1;
    Pattern pattern{at, 0, 0, end < text.size() && text[end] == '0'};
    while (end < text.size() && text[end] >= '0' && text[end] <= '9' && end < at + 4)
      pattern.digits = pattern.digits * 10 + (text[end++] - '0');
    if (end < text.size() && text[end] == 'd') {
      pattern.length = end + 1 - at;
      return pattern;
    }
  }
  return {};
}
/// The text with the number in place of the pattern.
std::string filled(const std::string& text, const Pattern& pattern, std::int64_t number) {
  std::string digits = std::to_string(number);
  const auto width = static_cast<std::size_t>(pattern.digits);
  if (digits.size() < width) digits.insert(0, width - digits.size(), pattern.zeros ? '0' : ' ');
  return text.substr(0, pattern.at) + digits + text.substr(pattern.at + pattern.length);
}

void require_frames(std::size_t count) {
  if (std::cmp_greater(count, limit_of(Limit::frames)))
    throw DecodeFailure{"it has too many; " + limit_text(Limit::frames)};
}

}  // namespace

bool has_number_pattern(const fs::path& path) {
  return find_pattern(path.filename().string()).length > 0;
}

std::vector<fs::path> stack_of_pictures(const fs::path& path) {
  std::vector<fs::path> pictures;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const auto& entry : fs::directory_iterator(path, error)) {
      if (has_picture_extension(entry.path())) pictures.push_back(entry.path());
      require_frames(pictures.size());
    }
    std::ranges::sort(pictures);
    return pictures;
  }
  const std::string name = path.filename().string();
  const Pattern pattern = find_pattern(name);
  if (pattern.length == 0) return pictures;
  const auto picture = [&](std::int64_t i) { return path.parent_path() / filled(name, pattern, i); };
  for (std::int64_t i = fs::exists(picture(0), error) ? 0 : 1; fs::exists(picture(i), error); ++i) {
    pictures.push_back(picture(i));
    require_frames(pictures.size());
  }
  return pictures;
}

fs::path numbered_path(const fs::path& path, std::int64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
  fs::path numbered = path;
  numbered.replace_filename(path.stem().string() + "_" + digits + path.extension().string());
  return numbered;
}

}  // namespace threadscape::io
