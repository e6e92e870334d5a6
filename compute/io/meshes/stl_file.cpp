// STL: triangles without indices, in binary or as text.

#include <algorithm>
#include <bit>
#include <cctype>
#include <string>

#include "compute/io/ascii.h"
#include "compute/io/meshes/model.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

std::string lower_case(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Returns true if a file begins as text: with "solid", and without characters that no text has.
bool is_text(std::string_view text) {
  const std::string_view beginning = text.substr(0, 512);
  std::string_view words = beginning;
  return lower_case(take_word(words)) == "solid" &&
         std::ranges::none_of(beginning, [](char c) { return c >= 0 && c < ' ' && !is_space(c); });
}

Model read_text(std::string_view text, const ModelFiles& files) {
  Model model;
  PolygonCutter cutter(files.options.stop);
  std::vector<Point> loop;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::size_t number = 0;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    ++number;
    const std::string keyword = lower_case(take_word(line));
    if (keyword == "outer") loop.clear();
    if (keyword == "vertex") {
      Point& point = loop.emplace_back();
      for (double& value : point)
        value = number_of(take_word(line));
    }
    if (keyword != "endloop") continue;
    if (loop.size() < 3)
      throw UsageError("line " + std::to_string(number) + ": a face of " + std::to_string(loop.size()) + " corners");
    triangles.clear();
    cutter.cut(loop, triangles);
    const auto first = static_cast<std::uint32_t>(model.vertices.size());
    for (const Point& point : loop)
      model.vertices.push_back({.position = point});
    for (const auto& t : triangles)
      model.triangles.push_back({.corner = {first + t[0], first + t[1], first + t[2]}});
    loop.clear();
  }
  if (!loop.empty()) throw UsageError("it ends within a face: the file is cut off");
  return model;
}

float float_at(Bytes file, std::size_t at) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(little_endian_at(file, at, 4)));
}

/// The colour of a triangle: 5 bits for each part, from the blue one upwards; in files of Materialise's Magics, which
/// state "COLOR=", from the red one.
std::uint32_t colour_of_bits(std::uint32_t bits, bool red_first) {
  const double low = (bits & 31u) / 31.0, middle = (bits >> 5 & 31u) / 31.0, high = (bits >> 10 & 31u) / 31.0;
  return red_first ? colour_word(low, middle, high, 1.0) : colour_word(high, middle, low, 1.0);
}

Model read_binary(Bytes file, std::uint64_t count, const ModelFiles& files) {
  require_model_memory(3 * count, count, files.limits);
  Model model;
  const std::string_view header(reinterpret_cast<const char*>(file.data()), header_bytes - 4);
  const std::size_t stated = header.find("COLOR=");
  const bool magics = stated != std::string_view::npos && stated + 10 <= header.size();
  std::uint32_t common = 0xffffffffu;
  if (magics) common = static_cast<std::uint32_t>(little_endian_at(file, stated + 6, 4));
  model.has_colours = magics;
  for (std::uint64_t t = 0; t < count; ++t) {
    const std::size_t at = header_bytes + t * triangle_bytes;
    const auto bits = static_cast<std::uint32_t>(little_endian_at(file, at + 48, 2));
    // The highest bit means a colour of this triangle, and in files of Magics the common one.
    const bool own = ((bits & 0x8000u) != 0) != magics;
    model.has_colours |= own;
    const auto first = static_cast<std::uint32_t>(model.vertices.size());
    for (std::size_t v = 0; v < 3; ++v) {
      const std::size_t p = at + 12 + 12 * v;
      model.vertices.push_back({.position = {float_at(file, p), float_at(file, p + 4), float_at(file, p + 8)},
                                .colour = own ? colour_of_bits(bits, magics) : common});
    }
    model.triangles.push_back({.corner = {first, first + 1, first + 2}});
  }
  if (const std::size_t rest = file.size() - header_bytes - count * triangle_bytes; rest > 0)
    model.note("the " + std::to_string(rest) + " bytes behind its triangles are left out");
  return model;
}

}  // namespace

Model read_stl(Bytes file, const ModelFiles& files) {
  const std::string_view text = without_mark({reinterpret_cast<const char*>(file.data()), file.size()});
  std::uint64_t count = 0, bytes = header_bytes;
  if (file.size() >= header_bytes) {
    count = little_endian_at(file, header_bytes - 4, 4);
    bytes += count * triangle_bytes;
  }
  // Headers of binary files may begin with "solid" as well, so that their length decides.
  if (bytes != file.size() && is_text(text)) return read_text(text, files);
  if (bytes <= file.size()) return read_binary(file, count, files);
  throw UsageError(file.size() < header_bytes
                       ? "it is no STL: it neither begins with \"solid\", nor has the 84 bytes of a binary header"
                       : "its header counts " + std::to_string(count) + " triangles, which take " +
                             std::to_string(bytes) + " bytes, it has " + std::to_string(file.size()) +
                             ": it is cut off, or no STL");
}

}  // namespace threadscape::io
