#include "compute/io/volumes/text_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>
#include <utility>

#include "compute/io/bytes.h"
#include "compute/io/limits.h"
#include "compute/io/numbered_files.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return text;
}

template <class T>
std::vector<T> numbers_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<T> numbers;
  for (T number; stream >> number;)
    numbers.push_back(number);
  return numbers;
}

std::int64_t number_of(const std::string& key, const std::string& text) {
  const std::vector<std::int64_t> numbers = numbers_in<std::int64_t>(text);
  if (numbers.size() != 1) throw DecodeFailure{key + " = " + text + ": a whole number is wanted"};
  return numbers.front();
}

/// The lines of a header, one after another.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  /// The next line without its end; nothing at the end of the text.
  [[nodiscard]] std::optional<std::string_view> next() {
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t end = text_.find('\n', at_);
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  /// All lines that are left, without blank ones: names of files.
  [[nodiscard]] std::vector<std::string> rest() {
    std::vector<std::string> all;
    while (const auto line = next())
      if (std::string name = trimmed(*line); !name.empty()) all.push_back(std::move(name));
    return all;
  }
  [[nodiscard]] std::int64_t read() const { return static_cast<std::int64_t>(at_); }
  /// Throws DecodeFailure if the text was cut off at the limit of headers.
  void require_all() const {
    if (std::cmp_greater_equal(text_.size(), limit_of(Limit::header_bytes)))
      throw DecodeFailure{"its header has no end; " + limit_text(Limit::header_bytes)};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// The files of "name_%03d.raw 1 20 1": a pattern, the first and the last number and the step.
std::vector<std::string> files_of_pattern(const std::string& text) {
  std::istringstream words(text);
  std::string pattern;
  std::int64_t first = 0, last = 0, step = 0;
  if (!(words >> pattern >> first >> last >> step) || step == 0 || !is_number_pattern(pattern))
    throw DecodeFailure{"its numbers are in '" + text + "': a name with %d, two numbers and a step are wanted"};
  const std::int64_t count = (last - first) / step + 1;
  if (count < 1 || count > limit_of(Limit::frames))
    throw DecodeFailure{"its numbers are in " + std::to_string(count) + " files; " + limit_text(Limit::frames)};
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < count; ++i)
    files.push_back(number_name(pattern, first + i * step));
  return files;
}

/// The three extents: two axes are those of a single layer, and axes beyond the third have a single entry.
std::array<std::int64_t, 3> three_extents(const std::vector<std::int64_t>& all) {
  if (all.size() == 2) return {all[0], all[1], 1};
  if (all.size() < 2 || std::any_of(all.begin() + 3, all.end(), [](std::int64_t n) { return n != 1; }))
    throw DecodeFailure{"it has " + std::to_string(all.size()) + " axes: a volume has 3, or 2 for a single layer"};
  return {all[0], all[1], all[2]};
}

/// Sides of voxels, which may have a sign. One that is not stated is 1; if none is, there is no spacing.
std::optional<std::array<double, 3>> stated_spacing(const std::vector<double>& sides) {
  std::array<double, 3> spacing{1, 1, 1};
  bool stated = false;
  for (std::size_t axis = 0; axis < 3 && axis < sides.size(); ++axis) {
    if (!std::isfinite(sides[axis])) continue;
    spacing[axis] = sides[axis];
    stated = true;
  }
  return stated ? std::optional(spacing) : std::nullopt;
}

// ---- MetaImage

using NumberName = std::pair<std::string_view, VolumeNumber>;

constexpr std::array<NumberName, 12> metaimage_types{{{"MET_CHAR", VolumeNumber::i8},
                                                      {"MET_UCHAR", VolumeNumber::u8},
                                                      {"MET_SHORT", VolumeNumber::i16},
                                                      {"MET_USHORT", VolumeNumber::u16},
                                                      {"MET_INT", VolumeNumber::i32},
                                                      {"MET_UINT", VolumeNumber::u32},
                                                      {"MET_LONG", VolumeNumber::i32},  // of 32 bits on all systems
                                                      {"MET_ULONG", VolumeNumber::u32},
                                                      {"MET_LONG_LONG", VolumeNumber::i64},
                                                      {"MET_ULONG_LONG", VolumeNumber::u64},
                                                      {"MET_FLOAT", VolumeNumber::f32},
                                                      {"MET_DOUBLE", VolumeNumber::f64}}};

/// MetaIO takes any word that begins so for true.
bool is_true(const std::string& value) {
  return !value.empty() && std::string_view("Tt1").find(value[0]) != std::string_view::npos;
}

// ---- NRRD

constexpr std::array<std::pair<std::string_view, VolumeNumber>, 12> nrrd_types{{{"signed char", VolumeNumber::i8},
                                                                                {"int8", VolumeNumber::i8},
                                                                                {"uchar", VolumeNumber::u8},
                                                                                {"uint8", VolumeNumber::u8},
                                                                                {"short", VolumeNumber::i16},
                                                                                {"ushort", VolumeNumber::u16},
                                                                                {"int", VolumeNumber::i32},
                                                                                {"uint", VolumeNumber::u32},
                                                                                {"longlong", VolumeNumber::i64},
                                                                                {"ulonglong", VolumeNumber::u64},
                                                                                {"float", VolumeNumber::f32},
                                                                                {"double", VolumeNumber::f64}}};

/// The type behind one of the many names that NRRD has for each: "unsigned short int", "ushort", "uint16_t".
std::optional<VolumeNumber> nrrd_type(std::string name) {
  if (name.ends_with("_t")) name.resize(name.size() - 2);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> sized{
      {{"int16", "short"}, {"int32", "int"}, {"int64", "longlong"}}};
  for (const auto& [written, same] : sized)
    if (name == written || name == "u" + std::string(written)) name = (name[0] == 'u' ? "u" : "") + std::string(same);
  std::istringstream words(name);
  std::string joined, word;
  bool without_sign = false, with_sign = false;
  while (words >> word) {
    without_sign = without_sign || word == "unsigned";
    with_sign = with_sign || word == "signed";
    if (word == "unsigned" || word == "signed" || (word == "int" && !joined.empty())) continue;
    joined += word;
  }
  if (joined == "char" && with_sign) joined = "signed char";
  if (without_sign) joined = "u" + joined;
  const auto* const found = std::ranges::find(nrrd_types, joined, &std::pair<std::string_view, VolumeNumber>::first);
  return found == nrrd_types.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> words_of(const std::string& text) {
  return numbers_in<std::string>(text);
}

/// The vectors of "(0.5,0,0) none (0,0,2)"; an empty one for "none", which is no axis of space.
std::vector<std::vector<double>> directions_of(const std::string& text) {
  std::vector<std::vector<double>> directions;
  for (std::size_t at = text.find_first_not_of(" \t"); at != std::string::npos;
       at = text.find_first_not_of(" \t", at)) {
    if (text[at] != '(') {
      directions.emplace_back();
      at = std::min(text.find_first_of(" \t", at), text.size());
      continue;
    }
    const std::size_t end = text.find(')', at);
    std::string inside = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    std::ranges::replace(inside, ',', ' ');
    directions.push_back(numbers_in<double>(inside));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return directions;
}

/// The lengths of vectors; NaN for empty ones.
std::vector<double> lengths_of(const std::vector<std::vector<double>>& directions) {
  std::vector<double> lengths;
  for (const std::vector<double>& direction : directions)
    lengths.push_back(direction.empty()
                          ? std::nan("")
                          : std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0)));
  return lengths;
}

/// Returns true if two of the vectors are not at right angles, by more than a thousandth.
bool are_sheared(const std::vector<std::vector<double>>& directions) {
  const std::vector<double> lengths = lengths_of(directions);
  for (std::size_t a = 0; a < directions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (directions[a].size() != directions[b].size()) continue;
      const double product = std::inner_product(directions[a].begin(), directions[a].end(), directions[b].begin(), 0.0);
      if (std::abs(product) > 1e-3 * lengths[a] * lengths[b]) return true;
    }
  return false;
}

/// Lengths of "0.5 0.7 nan", which streams do not read.
std::vector<double> lengths_of_spacings(const std::string& text) {
  std::vector<double> lengths;
  for (const std::string& word : words_of(text)) {
    double length = std::nan("");
    (void)std::from_chars(word.data(), word.data() + word.size(), length);
    lengths.push_back(length);
  }
  return lengths;
}

/// Throws DecodeFailure for an axis whose entries are the parts of one value: colours, vectors, tensors.
void require_sides(const std::vector<std::string>& kinds, const std::vector<std::int64_t>& sizes) {
  constexpr std::array<std::string_view, 7> sides{"domain", "space", "time", "none", "???", "stub", "scalar"};
  for (std::size_t axis = 0; axis < kinds.size() && axis < sizes.size(); ++axis)
    if (sizes[axis] != 1 && std::ranges::count(sides, lower(kinds[axis])) == 0)
      throw DecodeFailure{"each voxel has " + std::to_string(sizes[axis]) + " values of the kind '" + kinds[axis] +
                          "': volumes of one value are read"};
}

}  // namespace

TextHeader read_metaimage_header(std::string_view text) {
  TextHeader header;
  std::vector<std::int64_t> extents;
  std::optional<std::vector<double>> spacing, size;
  std::string type, file;
  Lines lines(text);
  for (int line_number = 1; file.empty(); ++line_number) {
    const auto line = lines.next();
    if (!line) break;
    const std::size_t equals = line->find('=');
    if (equals == std::string_view::npos)
      throw DecodeFailure{"it is no MetaImage: line " + std::to_string(line_number) + " has no '='"};
    const std::string key = trimmed(line->substr(0, equals)), value = trimmed(line->substr(equals + 1));
    if (key == "DimSize")
      extents = numbers_in<std::int64_t>(value);
    else if (key == "ElementSpacing")
      spacing = numbers_in<double>(value);
    else if (key == "ElementSize")
      size = numbers_in<double>(value);
    else if (key == "ElementType")
      type = value;
    else if (key == "ElementNumberOfChannels" && value != "1")
      throw DecodeFailure{"it has " + value + " channels"};
    else if (key == "BinaryData" && !is_true(value))
      header.coding = NumberCoding::text;
    else if (key == "BinaryDataByteOrderMSB" || key == "ElementByteOrderMSB")
      header.numbers.swapped = is_true(value);
    else if (key == "CompressedData" && is_true(value))
      header.coding = NumberCoding::deflate;
    else if (key == "HeaderSize")
      header.skipped_bytes = number_of(key, value);
    else if (key == slice_titles_key)
      header.of_views = true;
    else if (key == "ElementDataFile")
      file = value;
  }
  if (file.empty()) lines.require_all();
  if (file.empty() || extents.empty() || type.empty())
    throw DecodeFailure{
        "it is no MetaImage of a volume: DimSize with three numbers, ElementType and ElementDataFile are wanted"};
  const auto* const known = std::ranges::find(metaimage_types, type, &NumberName::first);
  if (known == metaimage_types.end())
    throw DecodeFailure{"ElementType = " + type + ": integers of 8 to 64 bits, MET_FLOAT and MET_DOUBLE are read"};
  header.numbers.type = known->second;
  header.extents = three_extents(extents);
  if (!spacing) spacing = size;
  if (spacing) {
    // A missing length is 0, which is refused; that of a single layer has no neighbours.
    spacing->resize(3, extents.size() == 2 && spacing->size() == 2 ? 1.0 : 0.0);
    header.spacing = stated_spacing(*spacing);
  }
  if (file.starts_with("LIST")) {
    header.files = lines.rest();
    if (header.files.empty()) throw DecodeFailure{"ElementDataFile = LIST: no names follow"};
  } else if (file != "LOCAL") {
    const bool pattern = is_number_pattern(words_of(file).front()) && words_of(file).size() == 4;
    header.files = pattern ? files_of_pattern(file) : std::vector{file};
  } else {
    header.skipped_bytes = 0;  // The size of a header is meant for other files.
  }
  header.size = lines.read();
  return header;
}

TextHeader read_nrrd_header(std::string_view text) {
  if (!text.starts_with("NRRD000")) throw DecodeFailure{"it is no NRRD file"};
  TextHeader header;
  std::string type, encoding = "raw", endian = "little", file, dimension;
  std::vector<std::int64_t> sizes;
  std::vector<double> spacings;
  std::vector<std::vector<double>> directions;
  std::vector<std::string> kinds;
  Lines lines(text);
  (void)lines.next();  // the signature
  bool ended = false;
  while (const auto line = lines.next()) {
    ended = line->empty();
    if (ended) break;
    const std::size_t colon = line->find(':');
    // Comments, and pairs "key:=value" that programs add.
    if ((*line)[0] == '#' || colon == std::string_view::npos || line->substr(colon + 1).starts_with('=')) continue;
    const std::string key = lower(trimmed(line->substr(0, colon))), value = trimmed(line->substr(colon + 1));
    if (key == "type")
      type = lower(value);
    else if (key == "encoding")
      encoding = lower(value);
    else if (key == "endian")
      endian = lower(value);
    else if (key == "dimension")
      dimension = value;
    else if (key == "sizes")
      sizes = numbers_in<std::int64_t>(value);
    else if (key == "spacings")
      spacings = lengths_of_spacings(value);
    else if (key == "space directions")
      directions = directions_of(value);
    else if (key == "kinds")
      kinds = words_of(value);
    else if (key == "line skip" || key == "lineskip")
      header.skipped_lines = number_of(key, value);
    else if (key == "byte skip" || key == "byteskip")
      header.skipped_bytes = number_of(key, value);
    else if (key == "data file" || key == "datafile")
      file = value;
    if (file.starts_with("LIST")) {  // The names are the rest of the file.
      header.files = lines.rest();
      ended = true;
      break;
    }
  }
  if (!ended) lines.require_all();
  if (!ended && file.empty()) throw DecodeFailure{"it is truncated"};
  header.size = lines.read();

  if (number_of("dimension", dimension) != std::ssize(sizes) || sizes.size() < 2)
    throw DecodeFailure{"its dimension is " + dimension + " and it has " + std::to_string(sizes.size()) +
                        " sizes: a volume has 3, or 2 for a single layer"};
  require_sides(kinds, sizes);
  std::vector<double> sides = directions.empty() ? spacings : lengths_of(directions);
  if (are_sheared(directions)) header.note = "its axes are not at right angles, which is not undone";
  sides.resize(sizes.size(), std::nan(""));
  for (std::size_t axis = 0; axis < sizes.size() && sizes.size() > 3;) {
    if (sizes[axis] != 1) {
      ++axis;
      continue;
    }
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(axis));
    sides.erase(sides.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  header.extents = three_extents(sizes);
  header.spacing = stated_spacing(sides);

  const std::optional<VolumeNumber> number = nrrd_type(type);
  if (!number) throw DecodeFailure{"its type is '" + type + "': integers of 8 to 64 bits, float and double are read"};
  header.numbers.type = *number;
  if (endian != "little" && endian != "big")
    throw DecodeFailure{"its endian is '" + endian + "': little and big are read"};
  header.numbers.swapped = endian == "big";
  constexpr std::array<std::pair<std::string_view, NumberCoding>, 8> codings{{{"raw", NumberCoding::raw},
                                                                              {"gzip", NumberCoding::deflate},
                                                                              {"gz", NumberCoding::deflate},
                                                                              {"bzip2", NumberCoding::bzip2},
                                                                              {"bz2", NumberCoding::bzip2},
                                                                              {"txt", NumberCoding::text},
                                                                              {"text", NumberCoding::text},
                                                                              {"ascii", NumberCoding::text}}};
  const auto* const coding = std::ranges::find(codings, encoding, &std::pair<std::string_view, NumberCoding>::first);
  if (coding == codings.end())
    throw DecodeFailure{"its encoding is '" + encoding + "': raw, gzip, bzip2 and ascii are read"};
  header.coding = coding->second;
  if (header.files.empty() && !file.empty())
    header.files = words_of(file).size() >= 4 ? files_of_pattern(file) : std::vector{file};
  return header;
}

}  // namespace threadscape::io
