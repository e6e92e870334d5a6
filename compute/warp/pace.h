#pragma once
// How long a block takes that has a multiprocessor for itself: the time at which its warps could issue each of their
// instructions, if these waited for nothing but the results that they read, barriers and branches.

#include <array>
#include <cstdint>
#include <vector>

namespace threadscape::warp {

/// Where loads of global memory find their bytes: in L1, in L2, or in memory.
inline constexpr std::size_t load_sources = 3;
/// Cycles from such a load to the instruction that needs it, on Hopper (arXiv:2402.13499, table IV).
inline constexpr std::array<std::uint64_t, load_sources> load_cycles{41, 263, 479};
/// A time in cycles, for each of the three places that all loads could find their bytes in.
using Cycles = std::array<std::uint64_t, load_sources>;

/// What an operation reads and writes, and when what it writes can be read.
struct PaceStep {
  enum class Kind : std::uint8_t { computes, loads, stores_shared, copies, waits_for_copies };
  Kind kind = Kind::computes;
  std::uint8_t weight = 1;              ///< Machine instructions, as Operation::weight.
  std::uint16_t delay = 0;              ///< Cycles until its results can be read, but for loads.
  std::uint16_t reads = 0, writes = 0;  ///< The numbers of registers that it reads and writes.
  std::uint32_t first = 0;              ///< They are in PaceCode::registers from here on, those that are read first.
};
/// The steps of a function, one for each of its instructions.
struct PaceCode {
  std::vector<PaceStep> steps;
  std::vector<std::uint32_t> registers;
};

/// The times of the warps of a block. Within a basic block instructions are issued once what they read is there, in any
/// order, for the assembler moves loads to where they are asked for early; a branch is issued behind all of its block.
class BlockPace {
 public:
  void begin(std::size_t warps);
  /// A warp issues the instruction of that number. `depth` is the number of calls that it is in.
  void issue(std::uint32_t warp, const PaceCode& code, std::uint32_t number, std::size_t depth);
  /// What follows is issued behind what the warp has issued so far: at a branch, a call, and an end.
  void end_basic_block(std::uint32_t warp);
  /// A warp waits at a barrier for its own stores to shared memory, and then for other warps.
  void arrive(std::uint32_t warp);
  /// Warps that were at a barrier go on together.
  void release(const std::vector<std::uint32_t>& warps);
  /// The time at which the last warp has issued its last instruction.
  [[nodiscard]] Cycles end() const;

 private:
  struct WarpPace {
    Cycles begin{};                          ///< Of the basic block.
    std::uint64_t issued = 0;                ///< Instructions since then, of which each takes a cycle.
    Cycles latest{};                         ///< The latest time at which an instruction was issued.
    Cycles stored{}, copied{};               ///< When all stores and copies to shared memory have arrived.
    std::vector<std::vector<Cycles>> ready;  ///< By the depth of calls: when the value of each register is there.
  };
  std::vector<WarpPace> warps_;
};

}  // namespace threadscape::warp
