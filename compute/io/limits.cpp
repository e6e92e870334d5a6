#include "compute/io/limits.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/json_limits.h"
#include "compute/core/machine.h"
#include "compute/io/file_extension.h"

namespace threadscape::io {

namespace {

// The largest value that a limit without a reason for a smaller one can be set to. Products with the bytes of a pixel
// and sums with the sizes of headers do not overflow.
constexpr std::int64_t any = std::int64_t{1} << 46;
constexpr std::int64_t kibi = 1024, mebi = kibi * kibi, gibi = kibi * mebi;

constexpr std::array rows{
    LimitRow{Limit::pixels, "pixels", "pixels of a picture", gibi, any},
    LimitRow{Limit::voxels, "voxels", "voxels of a volume", kibi* gibi, any},
    LimitRow{Limit::numbers, "numbers", "numbers of a sequence", 16 * gibi, any},
    LimitRow{Limit::frames, "frames", "pictures of a stack", 64 * kibi, any},
    // 10 kB stay below 64 MiB. Deflate makes 1032 bytes of one at most, which are 8256 grey pixels of one bit.
    LimitRow{Limit::expansion, "expansion", "bytes of a picture beyond 64 MiB for each byte of its file", 6 * kibi,
             any},
    LimitRow{Limit::file_bytes, "file-bytes", "bytes of a file that is read as a whole", 16 * gibi, any},
    LimitRow{Limit::header_bytes, "header-bytes", "bytes of a header in text form", mebi, gibi},
    LimitRow{Limit::json_bytes, "json-bytes", "bytes of a JSON text", 64 * mebi, gibi},
    // Copying and printing a parsed value takes stack for each level.
    LimitRow{Limit::json_depth, "json-depth", "levels of arrays and objects in JSON", 64, 1000},
    LimitRow{Limit::silence, "silence", "seconds without data from a pipe", 10, 1'000'000},
    LimitRow{Limit::memory, "memory", "bytes of memory of the program", 0, any},
};
static_assert(std::ranges::equal(rows,
                                 std::array{Limit::pixels, Limit::voxels, Limit::numbers, Limit::frames,
                                            Limit::expansion, Limit::file_bytes, Limit::header_bytes, Limit::json_bytes,
                                            Limit::json_depth, Limit::silence, Limit::memory},
                                 {}, &LimitRow::limit),
              "limits are looked up by their index");

const LimitRow& row_of(Limit limit) {
  return rows[static_cast<std::size_t>(limit)];
}

/// The values that were set, in the order of the rows; 0 = the initial value. Those of JSON and of memory are in
/// core, where they are asked for.
std::array<std::atomic<std::int64_t>, rows.size()>& values() {
  static std::array<std::atomic<std::int64_t>, rows.size()> all{};
  return all;
}

/// The factor that the last letter of a number stands for; 1 for digits, 0 for other letters.
std::int64_t factor_of(char letter) {
  switch (letter) {
    case 'K':
      return kibi;
    case 'M':
      return mebi;
    case 'G':
      return gibi;
    case 'T':
      return kibi * gibi;
    default:
      return letter >= '0' && letter <= '9' ? 1 : 0;
  }
}

}  // namespace

std::span<const LimitRow> limit_rows() {
  return rows;
}

std::int64_t limit_of(Limit limit) {
  if (limit == Limit::json_bytes) return json_limits().bytes;
  if (limit == Limit::json_depth) return json_limits().depth;
  if (limit == Limit::memory) return static_cast<std::int64_t>(memory_limit());
  const std::int64_t value = values()[static_cast<std::size_t>(limit)];
  return value > 0 ? value : row_of(limit).initial;
}

void set_limit(Limit limit, std::int64_t value) {
  if (limit == Limit::json_bytes)
    json_limits().bytes = value;
  else if (limit == Limit::json_depth)
    json_limits().depth = value;
  else if (limit == Limit::memory)
    set_memory_limit(static_cast<std::size_t>(value));
  else
    values()[static_cast<std::size_t>(limit)] = value;
}

void set_limit(std::string_view name, std::string_view value) {
  const auto* const row = std::ranges::find(rows, name, &LimitRow::name);
  if (row == rows.end()) {
    std::vector<std::string_view> names;
    for (const LimitRow& known : rows)
      names.push_back(known.name);
    throw UsageError("the limit '" + std::string(name) + "' is unknown: " + enumerated(names));
  }
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, number);
  const std::int64_t factor = value.empty() ? 0 : factor_of(value.back());
  const char* const last_digit = factor > 1 ? end - 1 : end;
  if (parsed.ec != std::errc{} || parsed.ptr != last_digit || factor == 0 || number < 1 || number > row->most / factor)
    throw UsageError("the limit '" + std::string(name) + "' refuses '" + std::string(value) + "': 1.." +
                     std::to_string(row->most) + ", or a number with K, M, G or T");
  set_limit(row->limit, number * factor);
}

std::size_t justified_bytes(std::size_t file_bytes) {
  constexpr std::size_t free_of_reasons = std::size_t{64} << 20;
  const auto factor = static_cast<std::size_t>(limit_of(Limit::expansion));
  const std::size_t most = static_cast<std::size_t>(any);
  return file_bytes > most / factor ? most : std::max(free_of_reasons, file_bytes * factor);
}

std::string limit_text(Limit limit) {
  const LimitRow& row = row_of(limit);
  return "the limit is " + std::to_string(limit_of(limit)) + " " + std::string(row.what) + " (--limit " +
         std::string(row.name) + "=N raises it)";
}

}  // namespace threadscape::io
