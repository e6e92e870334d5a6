#include "compute/io/pictures/elevation_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "compute/core/errors.h"
#include "compute/core/height_range.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

constexpr float hole = std::numeric_limits<float>::quiet_NaN();

HostArray heights_of(Element element, std::int64_t width, std::int64_t height) {
  return HostArray({Kind::heightfield, element, 1, width, height, 1});
}

/// The side of a square of 16-bit numbers.
int side_of(Bytes file, const char* what) {
  const std::size_t count = file.size() / 2;
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(count))));
  if (count == 0 || file.size() % 2 != 0 || side * side != count)
    throw DecodeFailure{"its " + std::to_string(file.size()) + " bytes are not a square of 16-bit numbers, which " +
                        what + " is"};
  check_header(static_cast<std::int64_t>(side), static_cast<std::int64_t>(side), sizeof(float));
  return static_cast<int>(side);
}

double next_number(std::string_view& text) {
  const std::string_view word = take_word(text);
  if (word.empty()) throw DecodeFailure{"it is truncated"};
  return number_of(word);
}

}  // namespace

HostArray decode_asc(Bytes file) {
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  double columns = 0, rows = 0, no_data = -9999;
  for (std::string_view rest = text; true; text = rest) {
    std::string keyword(take_word(rest));
    if (keyword.empty() || std::isalpha(static_cast<unsigned char>(keyword[0])) == 0) break;
    std::ranges::transform(keyword, keyword.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const double value = next_number(rest);
    if (keyword == "ncols")
      columns = value;
    else if (keyword == "nrows")
      rows = value;
    else if (keyword == "nodata_value")
      no_data = value;
  }
  const bool sizes = columns >= 1 && rows >= 1 && columns < 1e9 && rows < 1e9;
  if (!sizes) throw DecodeFailure{"it is no ASCII grid: it does not begin with ncols and nrows"};
  const auto width = static_cast<std::int64_t>(columns), height = static_cast<std::int64_t>(rows);
  check_header(width, height, sizeof(float));
  // A number takes a digit and a blank.
  if (width * height > (static_cast<std::int64_t>(text.size()) + 1) / 2) throw DecodeFailure{"it is truncated"};
  HostArray heights = heights_of(Element::f32, width, height);
  const auto to = heights.image<float>();
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const double number = next_number(text);
      to(x, y) = number == no_data ? hole : static_cast<float>(number);
    }
  return heights;
}

HostArray decode_hgt(Bytes file) {
  const int side = side_of(file, "a tile of SRTM (.hgt)");
  HostArray heights = heights_of(Element::f32, side, side);
  const auto to = heights.image<float>();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const std::size_t at =
          2 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x));
      const auto bits = std::to_integer<std::uint16_t>(file[at]) << 8 | std::to_integer<std::uint16_t>(file[at + 1]);
      const auto number = static_cast<std::int16_t>(bits);
      to(x, y) = number == std::numeric_limits<std::int16_t>::min() ? hole : static_cast<float>(number);
    }
  return heights;
}

HostArray decode_r16(Bytes file) {
  const int side = side_of(file, ".r16");
  HostArray heights = heights_of(Element::u16, side, side);
  const auto to = heights.image<std::uint16_t>();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      to(x, y) = static_cast<std::uint16_t>(little_endian_at(
          file, 2 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)), 2));
  return heights;
}

std::optional<double> gdal_no_data(Bytes file) {
  constexpr std::uint64_t gdal_nodata = 42113, ascii = 2;
  if (file.size() < 8) return {};
  const auto letter = [&](std::size_t at) { return std::to_integer<char>(file[at]); };
  const bool big = letter(0) == 'M';
  if (letter(0) != letter(1) || (!big && letter(0) != 'I')) return {};
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = little_endian_at(file, at, bytes), swapped = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      swapped = swapped << 8 | (value >> (8 * i) & 0xffu);
    return big ? swapped : value;
  };
  try {
    if (number(2, 2) != 42) return {};
    const auto directory = static_cast<std::size_t>(number(4, 4));
    for (std::size_t i = 0; i < number(directory, 2); ++i) {
      const std::size_t at = directory + 2 + 12 * i;
      if (number(at, 2) != gdal_nodata || number(at + 2, 2) != ascii) continue;
      const auto length = static_cast<std::size_t>(number(at + 4, 4));
      const std::size_t text_at = length <= 4 ? at + 8 : static_cast<std::size_t>(number(at + 8, 4));
      if (length > 64 || text_at > file.size() || file.size() - text_at < length) return {};
      std::string_view text(reinterpret_cast<const char*>(file.data()) + text_at, length);
      text = text.substr(0, text.find('\0'));
      return next_number(text);
    }
  } catch (const DecodeFailure&) {
    // A directory that is damaged marks no holes.
  } catch (const UsageError&) {
    // Nor does a word that is no number.
  }
  return {};
}

HostArray with_holes(HostArray heights, double number) {
  HostArray made = heights_of(Element::f32, heights.shape().width, heights.shape().height);
  const auto to = made.image<float>();
  with_heights(std::as_const(heights).view(), [&](const auto& from) {
    for (int y = 0; y < to.height; ++y)
      for (int x = 0; x < to.width; ++x) {
        const auto height = static_cast<float>(from(x, y));
        to(x, y) = height == static_cast<float>(number) ? hole : height;
      }
  });
  return made;
}

std::int64_t count_holes(const HostArray& heights) {
  if (heights.shape().element != Element::f32) return 0;
  const auto values = heights.image<float>();
  std::int64_t holes = 0;
  for (int y = 0; y < values.height; ++y)
    holes += std::count_if(values.row(y), values.row(y) + values.width, [](float h) { return std::isnan(h); });
  if (holes == heights.shape().items()) throw DecodeFailure{"it has no height: all of it is holes"};
  return holes;
}

void fill_holes(HostArray& heights) {
  if (heights.shape().element != Element::f32) return;
  const float lowest = height_range(std::as_const(heights).view()).low;
  const auto values = heights.image<float>();
  for (int y = 0; y < values.height; ++y)
    std::replace_if(
        values.row(y), values.row(y) + values.width, [](float h) { return std::isnan(h); }, lowest);
}

}  // namespace threadscape::io
