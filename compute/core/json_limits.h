#pragma once
// Limits of JSON that comes from files and command lines.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace threadscape {

/// Arrays and objects in each other. What the program writes has at most nine levels (reports of benchmarks).
inline constexpr int max_json_depth = 64;
/// The longest text that is parsed: 64 MiB. Reports of benchmarks have about 5 KB for each point.
inline constexpr std::size_t max_json_bytes = std::size_t{64} << 20;

/// Throws UsageError if the text is longer or nested deeper than these limits. To be called before every parser: those
/// that work by recursion, and functions that copy or print a parsed value, need stack for each level.
void check_json_limits(std::string_view text);
/// Reads a whole text and checks its limits. Reads little more than max_json_bytes from a stream without end.
[[nodiscard]] std::string read_json(std::istream& stream);

}  // namespace threadscape
