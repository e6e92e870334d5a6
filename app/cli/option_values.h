#pragma once
// Conversion of the texts of options into values. Every function throws UsageError with the name of the option and what
// it accepts.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include "compute/core/shape.h"

namespace threadscape::app {

enum class Theme : std::uint8_t;

/// Adds an option whose text is passed to `parse`. An Error that `parse` throws keeps its own message and exit code.
template <class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, const std::string& help, Parse parse) {
  return app.add_option_function<std::string>(name, parse, help);
}

/// --size: "1920x1080", width and height in pixels.
[[nodiscard]] std::pair<int, int> parse_size(const std::string& text);
/// --seed: a decimal number of 64 bits.
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);
/// The two sides of "name=value"; `option` is the option's name for messages.
[[nodiscard]] std::pair<std::string, std::string> parse_set(const std::string& option, const std::string& text);
/// --depth: "8", "16" or "float", the type of a picture's numbers.
[[nodiscard]] Element parse_depth(const std::string& text);
/// --theme: "dark" or "light".
[[nodiscard]] Theme parse_theme(const std::string& name);

}  // namespace threadscape::app
