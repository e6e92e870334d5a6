#include "app/cli/commands/compare.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "app/report/environment.h"
#include "app/report/text.h"
#include "compute/core/kind_info.h"
#include "compute/core/suggestion.h"
#include "compute/io/data_file.h"
#include "compute/io/numbered_files.h"
#include "compute/io/standard_stream.h"
#include "compute/run/similarity.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

struct CompareOptions {
  fs::path a, b;
  fs::path output;  ///< The file for the differences; "" = none.
  std::string kind;
  Element numbers = Element::f32;  ///< Type of the numbers in files without a header.
  std::array<int, 3> extents{};    ///< Voxels along x, y and z of a .raw volume; 0 = unknown.
  io::LoadOptions load;
  std::optional<double> tolerance;  ///< The largest difference that is accepted.
  std::optional<double> min_psnr, min_ssim;
  std::optional<double> peak;
  double gain = 0;  ///< Factor of the difference picture; 0 = so that the largest difference is white.
  bool json = false, quiet = false;
};

constexpr std::array<std::string_view, 4> channel_names{"red", "green", "blue", "alpha"};

Element parse_numbers(const std::string& name) {
  constexpr std::array all{Element::u8,  Element::u16, Element::u32, Element::i32,
                           Element::i64, Element::f32, Element::f64};
  std::vector<std::string_view> names;
  for (const Element element : all) {
    if (name_of(element) == name) return element;
    names.push_back(name_of(element));
  }
  throw UsageError("--numbers '" + name + "' is unknown: " + suggestion_and_list(name, names));
}

/// The kinds that are compared, in the order in which they are tried.
constexpr std::array comparable{Kind::image, Kind::heightfield, Kind::sequence, Kind::volume};

Kind kind_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Kind kind : comparable) {
    if (name == name_of(kind) || name == info_of(kind).user_name) return kind;
    names.push_back(name_of(kind));
  }
  throw UsageError("--kind '" + name + "' is unknown: " + suggestion_and_list(name, names));
}

/// The kind of data that a file of this name holds.
Kind kind_of(const fs::path& path) {
  if (io::reads_numbered_files(path) || io::is_only_volume(path)) return Kind::volume;
  const std::string extension = io::extension_of(path);
  for (const Kind kind : comparable) {
    const auto extensions = io::data_extensions(kind, io::FormatUse::read);
    if (std::ranges::count(extensions, extension) > 0) return kind;
  }
  return Kind::image;
}

io::Loaded load(const CompareOptions& options, const fs::path& path, Kind kind) {
  Shape wanted{.kind = kind, .element = options.numbers};
  if (kind == Kind::volume) {
    wanted.width = options.extents[0];
    wanted.depth = options.extents[1];
    wanted.height = options.extents[2];
    if (io::extension_of(path) == ".raw" && wanted.items() <= 0)
      throw UsageError("'" + path.string() + "' does not state its extents: --extents X,Y,Z is wanted");
  }
  return io::load_data(path, wanted, options.load);
}

/// A grey picture as RGBA.
HostArray coloured(const HostArray& grey) {
  Shape shape = grey.shape();
  shape.channels = 4;
  HostArray out(shape);
  const std::size_t size = size_of(shape.element);
  std::array<std::byte, sizeof(float)> opaque{};
  opaque.fill(std::byte{0xFF});  // All bits of an integer are set in opaque pixels.
  if (const float one = 1.0f; shape.element == Element::f32) std::memcpy(opaque.data(), &one, sizeof one);
  for (std::int64_t y = 0; y < shape.height; ++y) {
    const std::byte* from = grey.data() + static_cast<std::size_t>(y) * grey.pitch();
    std::byte* to = out.data() + static_cast<std::size_t>(y) * out.pitch();
    for (std::int64_t x = 0; x < shape.width; ++x, from += size)
      for (int c = 0; c < 4; ++c, to += size)
        std::memcpy(to, c < 3 ? from : opaque.data(), size);
  }
  return out;
}

/// The same numbers as floats.
HostArray as_floats(HostIn data) {
  Shape shape = data.shape;
  shape.element = Element::f32;
  HostArray out(shape);
  std::vector<double> row(static_cast<std::size_t>(shape.width));
  for (std::int64_t line = 0; line < shape.height * shape.depth; ++line) {
    read_row(data, line % shape.height, line / shape.height, 0, row.data());
    auto* to = reinterpret_cast<float*>(out.data() + static_cast<std::size_t>(line) * out.pitch());
    std::ranges::transform(row, to, [](double value) { return static_cast<float>(value); });
  }
  return out;
}

/// Gives two pictures the same number of channels. Throws UsageError for data that cannot be compared.
void make_comparable(const CompareOptions& options, io::Loaded& a, io::Loaded& b) {
  const Shape &first = a.pixels.shape(), &second = b.pixels.shape();
  if (first.width != second.width || first.height != second.height || first.depth != second.depth)
    throw UsageError("data of different extents cannot be compared: " + to_string(first) + " in '" +
                     options.a.string() + "', " + to_string(second) + " in '" + options.b.string() + "'");
  if (first.element != second.element && first.kind == Kind::heightfield) {
    a.pixels = as_floats(a.pixels.view());
    b.pixels = as_floats(b.pixels.view());
  } else if (first.element != second.element) {
    throw UsageError("'" + options.a.string() + "' has " + std::string(name_of(first.element)) + " values, '" +
                     options.b.string() + "' " + std::string(name_of(second.element)) +
                     ": --depth 8, 16 or float converts both");
  }
  if (first.channels < second.channels) a.pixels = coloured(a.pixels);
  if (second.channels < first.channels) b.pixels = coloured(b.pixels);
}

/// The number of channels to compare: without alpha if neither file has any.
int compared_channels(const io::Loaded& a, const io::Loaded& b) {
  const auto has_alpha = [](const io::Loaded& picture) {
    return picture.colour == io::FileColour::rgba || picture.colour == io::FileColour::grey_alpha;
  };
  if (a.pixels.shape().channels == 1) return 1;
  return has_alpha(a) || has_alpha(b) ? 4 : 3;
}

template <class T>
void store_row(const std::vector<double>& values, int channel, int channels, double white, std::byte* row) {
  auto* to = reinterpret_cast<T*>(row) + channel;
  for (std::size_t x = 0; x < values.size(); ++x) {
    const double limited = std::min(values[x], white);
    to[static_cast<std::ptrdiff_t>(x) * channels] = static_cast<T>(std::is_integral_v<T> ? limited + 0.5 : limited);
  }
}

/// The picture of |a - b| times the gain, in the type of the pictures. Alpha is opaque.
HostArray difference_picture(HostIn a, HostIn b, double gain) {
  HostArray out(a.shape);
  const int channels = a.shape.channels;
  std::vector<double> va(static_cast<std::size_t>(a.shape.width)), vb(va.size());
  const double white = a.shape.element == Element::u8 ? 255 : a.shape.element == Element::u16 ? 65535 : 1;
  for (std::int64_t y = 0; y < a.shape.height; ++y) {
    std::byte* row = out.data() + static_cast<std::size_t>(y) * out.pitch();
    for (int channel = 0; channel < channels; ++channel) {
      read_row(a, y, 0, channel, va.data());
      read_row(b, y, 0, channel, vb.data());
      for (std::size_t x = 0; x < va.size(); ++x) {
        const double difference = va[x] == vb[x] ? 0 : std::abs(va[x] - vb[x]) * gain;
        va[x] = channel == 3 || std::isnan(difference) ? white : difference;
      }
      if (a.shape.element == Element::u8)
        store_row<std::uint8_t>(va, channel, channels, white, row);
      else if (a.shape.element == Element::u16)
        store_row<std::uint16_t>(va, channel, channels, white, row);
      else
        store_row<float>(va, channel, channels, white, row);
    }
  }
  return out;
}

/// The signed differences b - a as floats.
HostArray difference_data(HostIn a, HostIn b) {
  Shape shape = a.shape;
  shape.element = Element::f32;
  HostArray out(shape);
  std::vector<double> va(static_cast<std::size_t>(shape.width)), vb(va.size());
  for (std::int64_t line = 0; line < shape.height * shape.depth; ++line) {
    read_row(a, line % shape.height, line / shape.height, 0, va.data());
    read_row(b, line % shape.height, line / shape.height, 0, vb.data());
    auto* row = reinterpret_cast<float*>(out.data() + static_cast<std::size_t>(line) * out.pitch());
    std::ranges::transform(vb, va, row, [](double second, double first) { return static_cast<float>(second - first); });
  }
  return out;
}

void write_difference(const CompareOptions& options, const io::Loaded& a, const io::Loaded& b,
                      const Similarity& result) {
  const HostIn first = a.pixels.view(), second = b.pixels.view();
  if (first.shape.kind != Kind::image) return io::save_data(options.output, difference_data(first, second).view(), {});
  const double white = first.shape.element == Element::u8 ? 255 : first.shape.element == Element::u16 ? 65535 : 1;
  const double largest = result.largest.value;
  const double gain = options.gain > 0 ? options.gain : largest > 0 && std::isfinite(largest) ? white / largest : 1;
  const io::FileColour colour = first.shape.channels == 1 ? io::FileColour::grey : io::FileColour::rgb;
  io::save_data(options.output, difference_picture(first, second, gain).view(), {colour, {}});
}

/// Returns true if the differences are within what the options accept. Without any limit, only equal data are.
bool accepted(const CompareOptions& options, const Similarity& result) {
  const bool limited = options.tolerance || options.min_psnr || options.min_ssim;
  const double tolerance = options.tolerance.value_or(limited ? std::numeric_limits<double>::infinity() : 0.0);
  return result.largest.value <= tolerance && (!options.min_psnr || result.psnr_db >= *options.min_psnr) &&
         (!options.min_ssim || (result.ssim && *result.ssim >= *options.min_ssim));
}

/// A number in JSON; null if it is not finite.
Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// The place of the largest difference as x, y, z. The second axis of a volume in memory is z, its third one is y.
std::array<std::int64_t, 3> place_of(const Shape& shape, const LargestDifference& largest) {
  auto at = largest.at;
  if (shape.kind == Kind::volume) std::swap(at[1], at[2]);
  return at;
}

Json result_json(const CompareOptions& options, const Shape& shape, const Similarity& result) {
  const LargestDifference& largest = result.largest;
  const auto at = place_of(shape, largest);
  Json json{{"a", options.a.string()}, {"b", options.b.string()}, {"shape", shape_json(shape)}};
  json["identical"] = result.different == 0;
  json["values"] = result.values;
  json["different"] = result.different;
  json["rmse"] = number_json(result.rmse);
  json["maximum"] = {{"value", number_json(largest.value)},
                     {"x", at[0]},
                     {"y", at[1]},
                     {"z", at[2]},
                     {"channel", largest.channel},
                     {"a", number_json(largest.a)},
                     {"b", number_json(largest.b)}};
  json["peak"] = result.peak;
  json["psnr_db"] = number_json(result.psnr_db);
  json["ssim"] = result.ssim ? number_json(*result.ssim) : Json(nullptr);
  json["passed"] = accepted(options, result);
  return json;
}

/// A value of the data with up to this many digits, and no more than it needs: 70, 0.25.
std::string value_text(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::string place_text(const Shape& shape, const Similarity& result) {
  const LargestDifference& largest = result.largest;
  const auto at = place_of(shape, largest);
  std::string text = " at x " + std::to_string(at[0]);
  if (shape.kind != Kind::sequence) text += ", y " + std::to_string(at[1]);
  if (shape.kind == Kind::volume) text += ", z " + std::to_string(at[2]);
  if (shape.channels > 1) text += ", " + std::string(channel_names[static_cast<std::size_t>(largest.channel)]);
  return text + " (" + value_text(largest.a, 7) + " and " + value_text(largest.b, 7) + ")";
}

std::string result_text(const Shape& shape, const Similarity& result) {
  const double share = 100.0 * static_cast<double>(result.different) / static_cast<double>(result.values);
  const bool equal = result.different == 0;
  return format_table(
      {{"data", to_string(shape)},
       {"different", std::to_string(result.different) + " of " + std::to_string(result.values) + " values" +
                         (equal ? "" : " (" + format_number(share) + " %)")},
       {"maximum", equal ? "0" : value_text(result.largest.value, 6) + place_text(shape, result)},
       {"RMSE", format_number(result.rmse, 6)},
       {"PSNR", equal ? "infinite"
                      : format_number(result.psnr_db, 5) + " dB, for values up to " + format_number(result.peak, 6)},
       {"SSIM", result.ssim ? format_number(*result.ssim, 6)
                            : "not defined: SSIM needs at least 11 values along each axis, and values that differ"}});
}

int compare(const CompareOptions& options) {
  const Kind kind = options.kind.empty() ? kind_of(io::is_standard_stream(options.a) ? options.b : options.a)
                                         : kind_named(options.kind);
  if (!options.output.empty()) {
    if (io::is_standard_stream(options.output)) io::require_redirected_output();
    io::require_data_path(options.output, kind);
  }
  if (io::is_standard_stream(options.a) && io::is_standard_stream(options.b))
    throw UsageError("only one of the two files can be standard input");
  io::Loaded a = load(options, options.a, kind), b = load(options, options.b, kind);
  print_note(a.note, options.quiet);
  print_note(b.note, options.quiet);
  make_comparable(options, a, b);
  const int channels = kind == Kind::image ? compared_channels(a, b) : 1;
  const Similarity result =
      measure_similarity(a.pixels.view(), b.pixels.view(), {.channels = channels, .peak = options.peak});
  if (!options.output.empty()) write_difference(options, a, b, result);
  // Text goes to stderr when the differences go to stdout.
  std::FILE* to = io::is_standard_stream(options.output) ? stderr : stdout;
  if (options.json)
    std::fputs(dump(result_json(options, a.pixels.shape(), result)).c_str(), to);
  else if (!options.quiet)
    std::fputs(result_text(a.pixels.shape(), result).c_str(), to);
  return static_cast<int>(accepted(options, result) ? ExitCode::done : ExitCode::check_failed);
}

}  // namespace

CommandAction set_up_compare(CLI::App& app, FindDevices /*unused*/) {
  const auto options = std::make_shared<CompareOptions>();
  add_path(app, "A", options->a, "The reference: a picture, heightfield, volume or sequence; - for standard input")
      ->required();
  add_path(app, "B", options->b, "What is compared with it")->required();
  add_path(app, "-o,--output", options->output,
           "Write |A - B| as a picture, or B - A as numbers of the other kinds of data");
  app.add_option("--gain", options->gain, "Factor of the picture (default: the largest difference becomes white)")
      ->check(CLI::PositiveNumber)
      ->type_name("X");
  app.add_option("--tolerance", options->tolerance, "Accept differences up to this one (default 0)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("X");
  app.add_option("--min-psnr", options->min_psnr, "Accept this PSNR in dB or a higher one")->type_name("X");
  app.add_option("--min-ssim", options->min_ssim, "Accept this SSIM or a higher one")
      ->check(CLI::Range(-1.0, 1.0))
      ->type_name("X");
  app.add_option("--peak", options->peak,
                 "Range of the values for PSNR and SSIM (default: 255, 65535 or 1 for pictures, else that of A)")
      ->check(CLI::PositiveNumber)
      ->type_name("X");
  app.add_option("--kind", options->kind, "image, heightfield, volume or sequence (default: by the extension of A)")
      ->type_name("NAME");
  add_parsed(app, "--numbers", "Type of raw numbers: u8, u16, u32, i32, i64, f32 or f64 (default f32)",
             [options](const std::string& name) { options->numbers = parse_numbers(name); })
      ->type_name("NAME");
  app.add_option("--extents", options->extents, "Voxels of a .raw volume along x, y and z")
      ->delimiter(',')
      ->type_name("X,Y,Z");
  add_load_options(app, options->load);
  app.add_flag("--json", options->json, "As JSON");
  app.add_flag("-q,--quiet", options->quiet, "Print errors only: the exit code is the answer");
  app.footer(
      "The exit code is 0 if the differences are accepted and 1 if they are not.\n\n"
      "Examples:\n"
      "  threadscape compare before.png after.png -o difference.png\n"
      "  threadscape compare a.png b.jpg --min-psnr 35 --json\n"
      "  threadscape compare phantom.mhd reconstruction.mhd --tolerance 0.05\n"
      "  threadscape compare sorted.raw expected.raw --numbers i32");
  return [options] { return compare(*options); };
}

}  // namespace threadscape::app
