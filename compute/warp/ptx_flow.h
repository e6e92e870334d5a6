#pragma once
// The blocks and loops of PTX, and how often they were executed.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compute/warp/code.h"
#include "compute/warp/dominators.h"
#include "compute/warp/machine.h"
#include "compute/warp/ptx.h"

namespace threadscape::warp {

/// What warps and threads did.
struct Visits {
  double warps = 0, threads = 0;
};

/// The loops that have a block, the outermost first.
[[nodiscard]] std::vector<const Loop*> loops_around(const std::vector<Loop>& loops, std::uint32_t block);

/// The blocks and loops of a kernel and of the functions that it calls, in PTX, and how often they were executed. Their
/// instructions are counted through, those of the kernel first.
class PtxFlow {
 public:
  PtxFlow(const Module& module, const Function& kernel, const LaunchResult& executed);

  /// Where a branch goes: to its label, or to those of its table.
  [[nodiscard]] std::vector<std::uint32_t> targets_of(std::uint32_t i) const;
  /// True where all calls go to functions whose code is here: others are in machine code that is not.
  [[nodiscard]] bool has_all_calls() const;
  /// True for machine code of a line that calls a function of the PTX.
  [[nodiscard]] bool calls(std::uint32_t line) const;
  [[nodiscard]] const Spec& spec(std::uint32_t i) const { return specs_[i]; }
  [[nodiscard]] bool leaves(std::uint32_t i) const;
  [[nodiscard]] std::optional<std::uint32_t> of_line(std::uint32_t line) const;
  [[nodiscard]] std::uint32_t block(std::uint32_t i) const { return block_[i]; }
  [[nodiscard]] std::uint32_t first(std::uint32_t block) const { return first_[block]; }
  /// The loops around a block, the outermost first.
  [[nodiscard]] std::vector<const Loop*> loops(std::uint32_t block) const { return loops_around(loops_, block); }
  [[nodiscard]] Visits visits(std::uint32_t i) const { return visits_[i]; }
  /// How often a loop was begun.
  [[nodiscard]] Visits entries(const Loop& loop) const;
  /// Instructions that the assembler makes one of the machine code of, which stays in its block.
  [[nodiscard]] bool is_kept(std::uint32_t i) const;
  /// The number of such instructions on the line of one of them.
  [[nodiscard]] int kept_on_line_of(std::uint32_t i) const { return kept_on_line_.at(instructions_[i]->ptx_line); }
  /// What an instruction adds to its own result, if that is a constant; otherwise 0.
  [[nodiscard]] std::int32_t step(std::uint32_t i) const;

 private:
  struct Part {
    const Function* function = nullptr;
    std::uint32_t first = 0;
  };
  void add(const Function& function, const std::vector<Counts>& executed);
  [[nodiscard]] const Part& part_of(std::uint32_t i) const;

  const Module& module_;
  std::vector<Part> parts_;
  std::vector<const Instruction*> instructions_;
  std::vector<Spec> specs_;
  std::vector<Visits> visits_;  ///< By the instruction.
  std::vector<std::uint32_t> block_, first_;
  Edges before_;  ///< The blocks that go on to a block.
  std::vector<Loop> loops_;
  std::unordered_map<std::uint32_t, std::uint32_t> of_line_;
  std::unordered_map<std::uint32_t, int> kept_on_line_;
};

}  // namespace threadscape::warp
