#pragma once
// The blocks and loops of PTX, and how often they were executed.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compute/warp/code.h"
#include "compute/warp/counts.h"
#include "compute/warp/dominators.h"
#include "compute/warp/ptx.h"

namespace threadscape::warp {

/// What warps and threads did.
struct Visits {
  double warps = 0, threads = 0;
};

/// The loops that have a block, the outermost first.
[[nodiscard]] std::vector<const Loop*> loops_around(const std::vector<Loop>& loops, std::uint32_t block);

/// The blocks and loops of a kernel in PTX, and how often they were executed.
class PtxFlow {
 public:
  PtxFlow(const Module& module, const Function& kernel, const std::vector<Counts>& executed);

  /// Where a branch goes: to its label, or to those of its table.
  [[nodiscard]] std::vector<std::uint32_t> targets_of(std::uint32_t i) const;
  [[nodiscard]] const Spec& spec(std::uint32_t i) const { return specs_[i]; }
  [[nodiscard]] bool leaves(std::uint32_t i) const;
  [[nodiscard]] std::optional<std::uint32_t> of_line(std::uint32_t line) const;
  [[nodiscard]] std::uint32_t block(std::uint32_t i) const { return block_[i]; }
  [[nodiscard]] std::uint32_t first(std::uint32_t block) const { return first_[block]; }
  /// The loops around a block, the outermost first.
  [[nodiscard]] std::vector<const Loop*> loops(std::uint32_t block) const { return loops_around(loops_, block); }
  [[nodiscard]] Visits visits(std::uint32_t i) const;
  /// How often a loop was begun.
  [[nodiscard]] Visits entries(const Loop& loop) const;
  /// Instructions that the assembler makes one of the machine code of, which stays in its block.
  [[nodiscard]] bool is_kept(std::uint32_t i) const;

 private:
  const Module& module_;
  const Function& kernel_;
  const std::vector<Counts>& executed_;
  std::vector<Spec> specs_;
  std::vector<std::uint32_t> block_, first_;
  Edges before_;  ///< The blocks that go on to a block.
  std::vector<Loop> loops_;
  std::unordered_map<std::uint32_t, std::uint32_t> of_line_;
};

}  // namespace threadscape::warp
