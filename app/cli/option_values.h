#pragma once
// Texts of the command line that become values. Errors are UsageError with the option and what it accepts.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace threadscape::app {

/// Registers an option whose text goes through `parse`; what that throws keeps its own exit code and message.
template <class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, const std::string& help, Parse parse) {
  return app.add_option_function<std::string>(name, parse, help);
}

/// "1920x1080", in pixels.
[[nodiscard]] std::pair<int, int> parse_size(const std::string& text);
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);
/// "name=value", given to `option`.
[[nodiscard]] std::pair<std::string, std::string> parse_set(const std::string& option, const std::string& text);

}  // namespace threadscape::app
