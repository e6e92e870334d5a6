#pragma once
// The limits of what is read from files. Every reader asks this table before it allocates memory for what a header
// claims, so that a small or endless file cannot use up the memory; Limit::memory holds for everything that a run
// allocates. `--limit NAME=VALUE` on the command line changes them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace threadscape::io {

/// One limit for each row of limit_rows(), in its order.
enum class Limit : std::uint8_t {
  pixels,
  voxels,
  numbers,
  frames,
  expansion,
  file_bytes,
  header_bytes,
  json_bytes,
  json_depth,
  silence,
  memory
};

struct LimitRow {
  Limit limit;
  std::string_view name;  ///< The name on the command line.
  std::string_view what;  ///< What is counted, in the plural, for messages and help.
  std::int64_t initial;   ///< The value at the start of the program; 0 = it depends on the machine.
  std::int64_t most;      ///< The largest value that can be set.
};

[[nodiscard]] std::span<const LimitRow> limit_rows();

/// The present value.
[[nodiscard]] std::int64_t limit_of(Limit limit);

/// Changes a limit for the whole program. `value` is a positive integer, which may end in K, M, G or T for powers of
/// 1024. Throws UsageError for unknown names and values out of range. To be called before other threads read files.
void set_limit(std::string_view name, std::string_view value);
void set_limit(Limit limit, std::int64_t value);

/// The bytes of memory that a compressed picture of so many bytes may take: 64 MiB, and more by Limit::expansion.
[[nodiscard]] std::size_t justified_bytes(std::size_t file_bytes);

/// The end of a message that refuses something: "the limit is 64 pixels (--limit pixels=N raises it)".
[[nodiscard]] std::string limit_text(Limit limit);

}  // namespace threadscape::io
