#include "app/cli/option_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "app/ui/theme.h"
#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "compute/io/standard_stream.h"
#include "compute/io/volumes/water_attenuation.h"

namespace threadscape::app {

CLI::Option* add_path(CLI::App& app, const std::string& name, std::filesystem::path& path, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name, [&path](const std::string& word) { path = io::stream_or_file(word); }, help)
      ->type_name("FILE");
}

CLI::Option* add_paths(CLI::App& app, const std::string& name, std::vector<std::filesystem::path>& paths,
                       const std::string& help) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [&paths](const std::vector<std::string>& words) {
            for (const std::string& word : words)
              paths.push_back(io::stream_or_file(word));
          },
          help)
      ->type_name("FILE");
}

std::pair<int, int> parse_size(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  constexpr int max_side = 16384;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
      width > max_side || height > max_side)
    throw UsageError("--size '" + text + "': WIDTHxHEIGHT in pixels, 16..16384 each, for example 1920x1080");
  return {width, height};
}

/// CLI11 is not used for seeds, because it reads -1 as 18446744073709551615.
std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size())
    throw UsageError("--seed '" + text + "': a whole number, 0..18446744073709551615");
  return seed;
}

int parse_device(const std::string& text) {
  if (text == "emulated") return gpu::emulated_ordinal;
  int ordinal = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), ordinal);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || ordinal < 0)
    throw UsageError("--device '" + text + "': the number of a device, from 0, or emulated; see `threadscape info`");
  return ordinal;
}

double parse_duration(const std::string& option, const std::string& text) {
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(static_cast<const char*>(result.ptr), text.data() + text.size());
  const double seconds = unit == "h" ? 3600.0 : unit == "m" ? 60.0 : 1.0;
  constexpr double max_seconds = 7 * 86400.0;
  const bool known = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (result.ec != std::errc{} || !known || !(value > 0.0 && value * seconds <= max_seconds))
    throw UsageError(option + " '" + text + "': a time above 0 and up to a week, for example 90s, 20m or 1.5h");
  return value * seconds;
}

double parse_percent(const std::string& option, const std::string& text) {
  double percent = 0.0;
  const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  const auto result = std::from_chars(number.data(), number.data() + number.size(), percent);
  if (result.ec != std::errc{} || result.ptr != number.data() + number.size() || !(percent > 0.0 && percent <= 100.0))
    throw UsageError(option + " '" + text + "': a percentage above 0 and up to 100, for example 2%");
  return percent / 100.0;
}

std::pair<std::string, std::string> parse_set(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw UsageError(option + " '" + text + "': name=value is wanted");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Element parse_depth(const std::string& text) {
  if (text == "8") return Element::u8;
  if (text == "16") return Element::u16;
  if (text == "float") return Element::f32;
  throw UsageError("--depth " + text + ": accepted are 8 | 16 | float");
}

NormalOptions parse_normals(const std::string& text) {
  if (text == "face") return {.mode = NormalMode::face};
  NormalOptions options;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, options.crease_degrees);
  if (result.ec != std::errc{} || result.ptr != end || !(options.crease_degrees >= 0.0f) ||
      !(options.crease_degrees <= 180.0f))
    throw UsageError("--normals '" + text + "': face, or an angle of 0 to 180 degrees, for example 60");
  return options;
}

io::VolumeAxis parse_axis(const std::string& text) {
  const auto known = std::ranges::find(io::volume_axis_names, text);
  if (known != io::volume_axis_names.end()) return static_cast<io::VolumeAxis>(known - io::volume_axis_names.begin());
  throw UsageError("--axis '" + text + "': 1, 2, 3 or auto");
}

double parse_water(const std::string& text) {
  double attenuation = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, attenuation);
  if (result.ec != std::errc{} || result.ptr != end || !(attenuation > 0) || !std::isfinite(attenuation))
    throw UsageError("--water '" + text + "': a number above 0, for example 0.0206 for lengths in mm at 60 keV");
  return attenuation;
}

double parse_energy(const std::string& text) {
  double energy = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, energy);
  if (result.ec != std::errc{} || result.ptr != end || !(energy >= io::least_energy && energy <= io::most_energy))
    throw UsageError("--energy '" + text + "': 20 to 150, in keV; --water states the attenuation itself");
  return io::water_attenuation(energy);
}

Theme parse_theme(const std::string& name) {
  if (name == "dark") return Theme::dark;
  if (name == "light") return Theme::light;
  throw UsageError("--theme '" + name + "': dark or light");
}

}  // namespace threadscape::app
