#pragma once
// Functions of PTX as the machine executes them: operations with handlers over 32 lanes, and the state of a warp.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compute/warp/counts.h"
#include "compute/warp/dominators.h"
#include "compute/warp/pace.h"
#include "compute/warp/ptx.h"

namespace threadscape::warp {

inline constexpr int warp_lanes = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffff;
/// The number of lanes of a mask.
inline std::uint64_t count_of(std::uint32_t mask) {
  return mask == all_lanes ? warp_lanes : static_cast<std::uint64_t>(std::popcount(mask));
}
/// No slot, no operation: where an index may be missing.
inline constexpr std::uint32_t none = 0xffffffff;
/// The slots of constants have this bit; the others are in the registers of the frame.
inline constexpr std::uint32_t constant_bit = 0x80000000;

/// The parts of the generic address space that no allocation of the caller has. Each is at most 2^40 bytes long.
namespace window {
inline constexpr std::uint64_t shared = std::uint64_t{1} << 60, local = std::uint64_t{2} << 60,
                               variables = std::uint64_t{3} << 60, parameters = std::uint64_t{4} << 60,
                               functions = std::uint64_t{5} << 60, mask = std::uint64_t{15} << 60;
}  // namespace window

struct Warp;
struct Operation;
struct Code;
class Block;
/// Executes an operation on the lanes of a mask.
using Handler = void (*)(Warp&, const Operation&, std::uint32_t mask);

/// How an operation changes what the warp executes next.
enum class Flow : std::uint8_t { Next, Branch, IndexedBranch, Call, Return, Exit, Trap, Barrier, WarpBarrier, Unknown };

/// A decoded instruction. Slots are offsets in bytes: of 32 lanes of 4 or 8 bytes, or of a mask for a predicate.
struct Operation {
  Handler run = nullptr;
  std::uint32_t d = none, d2 = none;
  std::array<std::uint32_t, 4> s{none, none, none, none};
  std::uint32_t guard = none;
  bool guard_negated = false;
  Flow flow = Flow::Next;
  Space space = Space::Generic;
  std::uint8_t bytes = 4;          ///< Bytes of one element in memory.
  std::uint8_t elements = 1;       ///< Elements of the vector that a lane loads or stores.
  std::uint8_t counted_bytes = 0;  ///< Bytes of the request that an access to shared memory counts as.
  std::uint8_t mode = 0;           ///< What a handler needs beyond its operands; its meaning is the handler's.
  std::uint8_t negated = 0;        ///< Bit k: the predicate s[k] is negated.
  std::uint8_t weight = 1;         ///< The machine instructions that the estimate takes it for.
  bool wide_address = true;        ///< The register of the address has 64 bits.
  bool framed = false;             ///< The address is relative to the frame in local memory.
  bool leaves = false;             ///< A branch to the end of a kernel, which a GPU executes as an exit of some lanes.
  bool breaks = false;             ///< A branch of which a way leaves a loop.
  char cache = 0;                  ///< As MemoryRequest::cache.
  bool read_only_path = false;
  bool watched = false;     ///< The operation has an entry in Code::watches.
  bool releases = false;    ///< A write that orders what the block did before.
  bool wide_lanes = false;  ///< The registers that memory is read into or written from have 64 bits.
  bool sign_extended = false;
  std::uint32_t list = 0, list_count = 0;  ///< Slots in Code::slots.
  std::uint32_t target = none;             ///< Of a branch, or the function of a call.
  std::uint32_t reconverge = none;         ///< The operation where the lanes of a branch meet again.
  std::uint32_t meetings = none;           ///< Where they meet before, in Code::meetings.
  std::uint64_t immediate = 0;             ///< The offset of an address, and other numbers of handlers.
};

/// Where the lanes of a branch in a loop meet again, but for those that leave the loop before.
struct Meeting {
  std::uint32_t at = none;    ///< An operation.
  std::uint32_t loop = none;  ///< The number of a loop in Code::loops; none where all lanes of the branch meet.
};

/// A function that is ready to be executed. Operations have the numbers of the instructions.
struct Code {
  const Function* function = nullptr;
  std::uint32_t first = 0;  ///< The number of its first operation among those of all functions of the launch.
  std::vector<Operation> operations;
  std::vector<std::uint32_t> registers;            ///< The slot of each register of the function; none if unused.
  std::vector<std::uint32_t> slots;                ///< Lists of slots that operations have.
  std::vector<std::vector<std::uint32_t>> tables;  ///< The targets of indexed branches.
  std::vector<Loop> loops;                         ///< Natural loops of its basic blocks.
  std::vector<std::uint32_t> block_of;             ///< The basic block of each operation.
  std::vector<std::vector<Meeting>>
      meetings;  ///< Each branch has that of all lanes first, then those of outer and inner loops.
  std::vector<std::uint64_t> constants;  ///< The bank of constants, in which slots are aligned to 64 bytes.
  /// An argument of the kernel, which fills the constant at `slot`.
  struct Argument {
    std::uint32_t slot = 0;
    std::uint64_t at = 0;  ///< Its offset among the arguments.
    std::uint8_t bytes = 0;
    bool sign_extended = false, wide = false;
  };
  std::vector<Argument> arguments;
  /// What an operation does with registers that may have no value: the places of the masks of lanes that have one.
  struct Watch {
    struct Use {
      std::uint32_t place = 0;
      std::uint32_t reg = 0;  ///< Its number in the function.
    };
    std::vector<Use> used;                        ///< By a branch, an address, or a write that others see.
    std::vector<std::uint32_t> passed;            ///< The results have a value where these have.
    std::vector<std::uint32_t> written;           ///< Results.
    std::uint32_t selected = none, other = none;  ///< The masks of selp: of what is chosen where s[2] is true, or not.
    bool selects = false;
  };
  std::unordered_map<std::uint32_t, Watch> watches;  ///< By the operation.
  std::uint32_t register_bytes = 0;  ///< Bytes of the registers of a frame, and of the masks behind them.
  std::uint32_t watched_bytes = 0;   ///< Bytes of the masks.
  std::uint64_t local_bytes = 0;     ///< Bytes of a frame for each lane: parameters, results, variables, calls.
  PaceCode pace;                     ///< What its operations read, write and wait for.
  std::string approximations;        ///< Names of approximate operations that it has, separated by commas.

  /// True if a loop has an operation; false for none.
  [[nodiscard]] bool holds(const Loop& loop, std::uint32_t at) const {
    return at < block_of.size() && loop.holds[block_of[at]];
  }
};

/// The lanes that continue at `pc` once the present ones have reached the operation `reconverge`.
struct Pending {
  std::uint32_t pc, reconverge, lanes;
  bool frame;  ///< A caller continues.
};

/// A call that has not returned.
struct Frame {
  const Code* code;
  std::uint64_t local;    ///< Where the caller's frame begins in local memory.
  std::size_t registers;  ///< Where the caller's registers begin.
  std::uint32_t call;     ///< The operation that called.
};

/// A copy to shared memory that has not been waited for.
struct PendingCopy {
  std::uint32_t at = 0, bytes = 0;
  std::uint32_t lane = 0;
  std::uint32_t group = 0;      ///< The groups that the lane had committed before.
  std::uint32_t operation = 0;  ///< Among those of the launch.
};

struct Warp {
  std::array<std::byte*, 2> bank{};  ///< The registers of the frame, and the constants of its function.
  std::uint32_t active = 0;          ///< The lanes that execute.
  std::uint32_t live = 0;            ///< The lanes that have not ended.
  std::uint32_t present = 0;         ///< The lanes that the block has threads for.
  std::uint32_t pc = 0, reconverge = none;
  std::uint32_t carry = 0;   ///< The condition code, one bit per lane.
  std::uint32_t number = 0;  ///< In the block.
  std::uint32_t synced = 0;  ///< The time, by the clock of the block, of the last barrier of the warp.
  const Code* code = nullptr;
  Block* block = nullptr;
  std::uint64_t local = 0;    ///< Where the frame begins in local memory.
  std::size_t registers = 0;  ///< Where the frame begins in `storage`.
  std::vector<Pending> pending;
  std::vector<Frame> frames;
  std::vector<std::uint64_t> storage;  ///< Registers of all frames, with space to align them.
  std::uint32_t barrier = none;        ///< The barrier of the block that the warp waits at.
  std::uint32_t barrier_threads = 0;   ///< The number of threads that it is for; 0 means all.
  std::vector<PendingCopy> copies;
  std::array<std::uint32_t, 32> copy_groups{};  ///< The groups of copies that each lane has committed.
  bool done = false;
  std::uint64_t executed = 0;  ///< Operations.

  template <class T>
  [[nodiscard]] T* lanes(std::uint32_t slot) const {
    return reinterpret_cast<T*>(bank[slot >> 31] + (slot & ~constant_bit));
  }
  [[nodiscard]] std::uint32_t& mask(std::uint32_t slot) const { return *lanes<std::uint32_t>(slot); }
  /// The predicate s[k], negated if the operation says so.
  [[nodiscard]] std::uint32_t predicate(const Operation& operation, int k) const;
};

/// The name of an instruction in its parts.
struct Spec {
  std::string_view base;                ///< "ld" of "ld.global.u32".
  std::vector<std::string_view> parts;  ///< What follows, types included.
  std::vector<Type> types;              ///< The parts that are types, in order.
  bool wide_result = false;             ///< The register of the result has 64 bits.
  [[nodiscard]] Type type() const { return types.empty() ? Type::None : types[0]; }
  [[nodiscard]] Type last_type() const { return types.empty() ? Type::None : types.back(); }
  [[nodiscard]] bool has(std::string_view part) const;
};
[[nodiscard]] Spec spec_of(std::string_view name);

// The handlers of instructions that have results and sources in registers; null if there is none.
[[nodiscard]] Handler find_integer(const Spec& spec);
[[nodiscard]] Handler find_bits(const Spec& spec);
[[nodiscard]] Handler find_float(const Spec& spec);
[[nodiscard]] Handler find_half(const Spec& spec);
[[nodiscard]] Handler find_function(const Spec& spec);
[[nodiscard]] Handler find_conversion(const Spec& spec);
[[nodiscard]] Handler find_comparison(const Spec& spec);

/// Finds for each branch where its lanes meet again: all of them at the first operation of the immediate post-dominator
/// of its basic block; and within each loop those that do not leave it, at the immediate post-dominator on the ways
/// that stay in the loop until its next turn.
void find_reconvergence(Code& code);

/// True for instructions that write no register, so that their first operand is a source.
[[nodiscard]] bool writes_no_register(const Spec& spec);

/// Finds reads of registers that may not have been written.
void find_unwritten(Code& code, const Module& module);

/// Sets Operation::weight of all operations.
void estimate_weights(Code& code, const Module& module);
/// Fills Code::pace; weights are estimated before.
void find_pace(Code& code, const Module& module);

/// Lets accesses to neighbouring words of shared memory count as the wide ones that a GPU executes.
void merge_shared(Code& code, const Module& module);

/// What decoding needs to know of other functions and of variables.
struct Linkage {
  struct Symbol {
    std::uint64_t address = 0;  ///< In its own space.
    Space space = Space::Global;
  };
  const Module* module = nullptr;
  std::unordered_map<std::string_view, Symbol> symbols;          ///< Variables of the module, and functions.
  std::unordered_map<const Function*, std::uint64_t> shared_at;  ///< Where the shared memory of a function begins.
};

[[nodiscard]] Code decode(const Function& function, const Linkage& linkage);

/// Writes the arguments of a launch into a copy of the kernel's bank of constants.
void fill_arguments(const Code& kernel, const std::vector<std::byte>& arguments, std::vector<std::uint64_t>& constants);

}  // namespace threadscape::warp
