#pragma once
// The basic blocks of a function and the edges between them.

#include <cstdint>
#include <vector>

#include "compute/warp/code.h"

namespace threadscape::warp {

struct Graph {
  std::vector<std::uint32_t> first;                      ///< The first operation of each basic block; then the end.
  std::vector<std::uint32_t> block_of;                   ///< The block of each operation.
  std::vector<std::vector<std::uint32_t>> next, before;  ///< Edges; the block past the last one is the exit.
};
[[nodiscard]] Graph graph_of(const Code& code);

}  // namespace threadscape::warp
