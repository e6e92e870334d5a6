#pragma once
// Line tables in the form of DWARF 2, as cubins have them for the lines of their PTX.

#include <cstdint>
#include <string_view>
#include <vector>

namespace threadscape::warp {

struct LineRow {
  std::uint64_t address = 0;  ///< From the beginning of the sequence's code.
  std::uint32_t line = 0;
};
/// The rows of one piece of code, in the order of the table.
struct LineSequence {
  std::uint64_t named_at = 0;  ///< Where in the table the address of the code stands, which a relocation gives.
  std::vector<LineRow> rows;
};

/// Reads a table whose contents are not trusted: what is wrong ends it.
[[nodiscard]] std::vector<LineSequence> read_line_table(std::string_view table);

}  // namespace threadscape::warp
