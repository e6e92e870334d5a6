#pragma once
// Dominators and loops of a graph of basic blocks.

#include <cstdint>
#include <vector>

namespace threadscape::warp {

/// The neighbours of each block.
using Edges = std::vector<std::vector<std::uint32_t>>;

/// The immediate dominator of each block by the algorithm of Cooper, Harvey and Kennedy (A Simple, Fast Dominance
/// Algorithm, 2001): the last block that all ways from `root` to it go through. `root` is its own; blocks that cannot
/// be reached have `none`. `before` are the edges of `next` turned around; exchanged, they give post-dominators.
[[nodiscard]] std::vector<std::uint32_t> immediate_dominators(const Edges& next, const Edges& before,
                                                              std::uint32_t root);

/// A natural loop: the blocks from which its head is reached again without leaving the blocks that the head dominates.
struct Loop {
  std::uint32_t head = 0;
  std::uint32_t size = 0;     ///< The number of its blocks.
  std::vector<bool> holds{};  ///< True for the blocks of the graph that the loop has.
};

/// The natural loops of a graph, one for each head, the largest first.
[[nodiscard]] std::vector<Loop> natural_loops(const Edges& next, const Edges& before, std::uint32_t root);

}  // namespace threadscape::warp
