#pragma once
// Conversion of the texts of options into values. Every function throws UsageError with the name of the option and what
// it accepts.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/mesh_builder.h"
#include "compute/core/shape.h"
#include "compute/io/loaded.h"

namespace threadscape::app {

enum class Theme : std::uint8_t;

/// Adds an option whose text is passed to `parse`. An Error that `parse` throws keeps its own message and exit code.
template <class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, const std::string& help, Parse parse) {
  return app.add_option_function<std::string>(name, parse, help);
}

/// Adds an option for one path or several, where "-" and "EXT:-" mean standard input or output.
CLI::Option* add_path(CLI::App& app, const std::string& name, std::filesystem::path& path, const std::string& help);
CLI::Option* add_paths(CLI::App& app, const std::string& name, std::vector<std::filesystem::path>& paths,
                       const std::string& help);

/// Parses --size: "1920x1080", width and height in pixels.
[[nodiscard]] std::pair<int, int> parse_size(const std::string& text);
/// Parses --seed: a decimal number of 64 bits.
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);
/// Parses --device: the number of a device, from 0, or "emulated", which is gpu::emulated_ordinal.
[[nodiscard]] int parse_device(const std::string& text);
/// Parses a duration as seconds: "90", "90s", "20m" or "1.5h". `option` is the name of the option in messages.
[[nodiscard]] double parse_duration(const std::string& option, const std::string& text);
/// Parses a percentage between 0 and 100, with or without "%": "2%" is 0.02. `option` is the name of the option in
/// messages.
[[nodiscard]] double parse_percent(const std::string& option, const std::string& text);
/// Splits "name=value" into its two sides. `option` is the name of the option in messages.
[[nodiscard]] std::pair<std::string, std::string> parse_set(const std::string& option, const std::string& text);
/// Parses --depth: "8", "16" or "float", the element type of a picture.
[[nodiscard]] Element parse_depth(const std::string& text);
/// Parses --normals: "face", or an angle in degrees, 0..180.
[[nodiscard]] NormalOptions parse_normals(const std::string& text);
/// Parses --axis: "1", "2", "3" or "auto".
[[nodiscard]] io::VolumeAxis parse_axis(const std::string& text);
/// Parses --water: a number above 0.
[[nodiscard]] double parse_water(const std::string& text);
/// Parses --energy: a number of keV. Returns the attenuation of water.
[[nodiscard]] double parse_energy(const std::string& text);
/// Parses --theme: "dark" or "light".
[[nodiscard]] Theme parse_theme(const std::string& name);

}  // namespace threadscape::app
