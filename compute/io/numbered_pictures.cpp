#include "compute/io/numbered_pictures.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/image_file.h"
#include "compute/io/limits.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// The place for a number in a pattern.
struct NumberPlace {
  std::size_t begin = 0, end = 0;  ///< The characters of the place, end exclusive.
  int digits = 0;                  ///< At least this many digits, filled up with zeros.
};

std::optional<NumberPlace> place_of(const std::string& pattern) {
  const std::size_t begin = pattern.find('%');
  if (begin == std::string::npos || pattern.find('%', begin + 1) != std::string::npos) return std::nullopt;
  std::size_t end = begin + 1;
  int digits = 0;
  // A place has at most two digits, such as %04d.
  while (end < pattern.size() && end < begin + 3 && pattern[end] >= '0' && pattern[end] <= '9')
    digits = digits * 10 + (pattern[end++] - '0');
  if (end >= pattern.size() || pattern[end] != 'd' || digits > 18) return std::nullopt;
  return NumberPlace{begin, end + 1, digits};
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

class PictureFrames final : public FrameSource {
 public:
  PictureFrames(std::vector<fs::path> files, const FrameOptions& options) : files_(std::move(files)) {
    options_.stop = options.stop;
    if (options.frames_per_second > 0) info_.frames_per_second = options.frames_per_second;
    info_.frames = static_cast<std::int64_t>(files_.size());
    // The first picture says the size, and whether the files can be read at all.
    picture_ = load(0);
    info_.width = static_cast<int>(picture_.shape().width);
    info_.height = static_cast<int>(picture_.shape().height);
    info_.what = "pictures, " + std::to_string(info_.width) + "x" + std::to_string(info_.height);
    loaded_ = 0;
  }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  bool advance() override {
    if (next_ >= info_.frames) return false;
    if (loaded_ != next_) picture_ = load(next_);
    loaded_ = next_++;
    return true;
  }
  void picture(Frame& frame) override {
    frame.index = loaded_;
    frame.seconds = static_cast<double>(loaded_) / info_.frames_per_second;
    if (frame.pixels.shape() != picture_.shape()) frame.pixels = HostArray(picture_.shape());
    copy(picture_.view(), frame.pixels.view());
  }
  void seek(std::int64_t index) override { next_ = std::clamp<std::int64_t>(index, 0, info_.frames); }
  [[nodiscard]] std::int64_t count() override { return info_.frames; }

 private:
  [[nodiscard]] HostArray load(std::int64_t index) const {
    return load_picture(files_[static_cast<std::size_t>(index)], options_).pixels;
  }

  std::vector<fs::path> files_;
  LoadOptions options_;
  FrameInfo info_;
  HostArray picture_;
  std::int64_t next_ = 0, loaded_ = -1;
};

void require_count(std::size_t files, const std::string& name) {
  if (static_cast<std::int64_t>(files) > limit_of(Limit::frames))
    throw EnvironmentError("cannot read '" + name + "': there are more pictures; " + limit_text(Limit::frames));
}

}  // namespace

bool is_number_pattern(const std::string& name) {
  return place_of(name).has_value();
}

std::string number_name(const std::string& pattern, std::int64_t number) {
  const std::optional<NumberPlace> place = place_of(pattern);
  if (!place) throw UsageError("'" + pattern + "' has no place for a number, such as frame_%04d.png");
  std::string digits = std::to_string(number);
  if (const auto wanted = static_cast<std::size_t>(place->digits); digits.size() < wanted)
    digits.insert(0, wanted - digits.size(), '0');
  return pattern.substr(0, place->begin) + digits + pattern.substr(place->end);
}

std::unique_ptr<FrameSource> open_numbered_pictures(const std::string& pattern, const FrameOptions& options) {
  // The lowest number is found in the list of the folder, because a sequence may begin anywhere.
  const fs::path sample = number_name(pattern, 0);
  const fs::path folder = sample.has_parent_path() ? sample.parent_path() : fs::path(".");
  const std::optional<NumberPlace> place = place_of(pattern);
  const std::string before = fs::path(pattern.substr(0, place->begin) + "x").filename().string();
  const std::string prefix = before.substr(0, before.size() - 1), suffix = pattern.substr(place->end);
  std::optional<std::int64_t> first;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) continue;
    const std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    std::int64_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size() || number < 0) continue;
    if (fs::path(number_name(pattern, number)).filename() != name) continue;
    if (!first || number < *first) first = number;
  }
  if (error) throw EnvironmentError("cannot read '" + folder.string() + "': " + error.message());
  if (!first)
    throw EnvironmentError("cannot read '" + pattern + "': no such picture exists, for example '" +
                           fs::path(number_name(pattern, 1)).filename().string() + "'");
  std::vector<fs::path> files;
  for (std::int64_t number = *first;; ++number) {
    fs::path file = number_name(pattern, number);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) break;
    files.push_back(std::move(file));
    require_count(files.size(), pattern);
  }
  return std::make_unique<PictureFrames>(std::move(files), options);
}

std::unique_ptr<FrameSource> open_picture_folder(const fs::path& folder, const FrameOptions& options) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!has_picture_extension(entry.path())) continue;
    files.push_back(entry.path());
    require_count(files.size(), folder.string());
  }
  if (error) throw EnvironmentError("cannot read '" + folder.string() + "': " + error.message());
  if (files.empty()) throw EnvironmentError("cannot read '" + folder.string() + "': the folder has no pictures in it");
  std::ranges::sort(files, [](const fs::path& a, const fs::path& b) {
    return natural_less(a.filename().string(), b.filename().string());
  });
  return std::make_unique<PictureFrames>(std::move(files), options);
}

}  // namespace threadscape::io
