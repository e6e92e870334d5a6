#pragma once
// Limits of JSON that comes from files and command lines.

#include <atomic>
#include <cstdint>
#include <string_view>

namespace threadscape {

/// The limits of every JSON text. compute/io/limits.h changes them.
struct JsonLimits {
  /// The levels of arrays and objects in each other. What the program writes has at most nine (reports of benchmarks).
  std::atomic<std::int64_t> depth = 64;
  /// The length of a text in bytes. Reports of benchmarks have about 5 KB for each point.
  std::atomic<std::int64_t> bytes = std::int64_t{64} << 20;
};
[[nodiscard]] JsonLimits& json_limits();

/// Throws UsageError if the text is longer or nested deeper than these limits. To be called before every parser: those
/// that work by recursion, and functions that copy or print a parsed value, need stack for each level.
void check_json_limits(std::string_view text);

}  // namespace threadscape
