#pragma once
// A machine that executes kernels in PTX block by block and warp by warp, and counts what the hardware would count.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/warp/counts.h"
#include "compute/warp/pace.h"
#include "compute/warp/ptx.h"

namespace threadscape::warp {

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Extent&) const = default;
};

/// Memory of the host that a kernel reaches at an address of its own.
struct Allocation {
  std::string name;           ///< For faults: "out", or "argument 2".
  std::uint64_t address = 0;  ///< May be the host's address; below 2^60.
  std::byte* memory = nullptr;
  std::uint64_t bytes = 0;
  /// One byte for each byte of the memory, not 0 where it was written; reads of others are faults. Null: all count as
  /// written.
  std::uint8_t* written = nullptr;
  bool read_only = false;
};

/// A request of a warp for global or local memory, in the order in which the machine executes them.
struct MemoryRequest {
  enum class Kind : std::uint8_t { Load, Store, Atomic, Reduction };
  Kind kind = Kind::Load;
  bool read_only_path = false;    ///< ld.global.nc.
  std::uint8_t cache = 0;         ///< The cache operator: 0 default, 'a' ca, 'g' cg, 's' cs, 'l' lu, 'v' cv.
  std::uint32_t instruction = 0;  ///< Among the kernel's instructions.
  std::uint64_t block = 0;
  std::span<const std::uint64_t> sectors;  ///< Addresses of the sectors divided by 32, ascending, each once.
};

/// Takes the requests of a launch, for models of caches. Requests of one multiprocessor come from one thread, in order;
/// different multiprocessors may report at once.
class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  virtual void request(int multiprocessor, const MemoryRequest& request) = 0;
};

struct Fault {
  enum class Kind : std::uint8_t {
    OutOfBounds,
    Misaligned,
    Uninitialised,
    Race,
    BarrierDivergence,
    Deadlock,
    Trap,
    ReadOnly
  };
  Kind kind = Kind::OutOfBounds;
  std::uint32_t location = 0;  ///< Among Module::locations.
  std::uint32_t other = 0;     ///< The location of the other access of a race.
  std::uint32_t ptx_line = 0;
  std::uint64_t block = 0;   ///< Linear.
  std::uint32_t thread = 0;  ///< Linear within the block.
  std::uint64_t address = 0;
  std::uint64_t times = 1;  ///< Lanes of the launch to which it happened at this instruction.
  std::string text;         ///< One sentence with the kernel, the line and the allocation.
};
/// "out of bounds", "misaligned", "uninitialised", "race", "barrier", "deadlock", "trap", "read only".
[[nodiscard]] std::string_view name_of(Fault::Kind kind);

struct LaunchLimits {
  std::uint64_t instructions = std::uint64_t{1} << 36;        ///< Of all warps together.
  std::uint64_t block_instructions = std::uint64_t{1} << 31;  ///< Of all warps of one block.
  std::uint64_t shared_bytes = 227 << 10;                     ///< Of a block.
  std::uint64_t blocks = std::uint64_t{1} << 31;              ///< That are executed.
  std::uint64_t local_bytes = 512 << 10;                      ///< Of a thread.
  std::size_t faults = 100;                                   ///< Different ones that are kept.
};

/// A thread that has stored to memory.
struct Writer {
  std::uint64_t block = 0;             ///< Linear.
  std::uint32_t thread = 0;            ///< Linear within the block.
  std::uint32_t operation = 0;         ///< The instruction, among those of the function that has stored.
  const Function* function = nullptr;  ///< Null: no thread has.
};

struct LaunchOptions {
  std::vector<std::uint64_t> blocks;  ///< The blocks to execute, by linear number; empty means all.
  bool per_instruction = true;        ///< Fill LaunchResult::instructions and lines.
  bool races = true;                  ///< Look for races in shared memory.
  bool global_races = false;          ///< Look for races in global memory, too.
  /// Report reads of local memory, and with `races` of shared memory, that nothing has written. Correct kernels have
  /// such reads where they do not use what was read, as when they copy a structure. Those of global memory are reported
  /// where an allocation keeps track of it, and those of registers always.
  bool uninitialised = true;
  bool cooperative = false;  ///< Keep all blocks alive, for kernels that wait for others.
  int threads = 0;           ///< The number of threads of OpenMP; 0 takes all.
  MemoryObserver* observer = nullptr;
  /// With an observer, block b runs on multiprocessor b mod `multiprocessors`, and `resident_blocks` of each run in
  /// turns.
  int multiprocessors = 1;
  int resident_blocks = 1;
  LaunchLimits limits;
  /// Global memory from this address on of which the last writers are wanted: one of each `writer_bytes`, as many as
  /// `writers` has. Null: of none.
  std::uint64_t watched = 0, writer_bytes = 1;
  std::vector<Writer>* writers = nullptr;
  std::uint64_t paced_blocks = 0;  ///< LaunchResult has the pace of about so many blocks, evenly spread.
  std::stop_token stop;            ///< The launch ends soon after a stop was requested.
};

/// Words of 32 bits that kernels read through the texture units: without a filter, by coordinates that count words and
/// are clamped to the edges.
struct Texture {
  const std::byte* words = nullptr;
  std::uint64_t width = 0;
  std::uint64_t height = 0;       ///< 0 for a single line.
  std::uint64_t pitch_bytes = 0;  ///< From one row to the next.
};

class Programs;

struct LaunchRequest {
  const Module* module = nullptr;
  std::string kernel;
  Extent grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<std::byte> arguments;  ///< Function::parameter_bytes, laid out by the parameters' offsets.
  /// What the kernel may reach. A variable of the module that has the name of an allocation lives there, so that
  /// launches share its value; others are made for the launch.
  std::span<const Allocation> memory;
  /// Where the kernel stays decoded for later launches of the module; null decodes it for this launch alone.
  Programs* programs = nullptr;
  /// The textures by handle; null if there are none.
  const std::map<std::uint64_t, Texture>* textures = nullptr;
  LaunchOptions options;
};

struct LineCounts {
  int file = 0, line = 0;  ///< Where the code was written, among Module::files.
  Counts counts;
};

/// What a function that a kernel calls has executed.
struct CalledFunction {
  const Function* function = nullptr;
  std::vector<Counts> instructions;  ///< One per instruction, of all calls together.
};

/// How long blocks take that have a multiprocessor for themselves (BlockPace).
struct Pace {
  Cycles cycles{};           ///< The sum of the blocks.
  std::uint64_t blocks = 0;  ///< Their number.
  void add(const Pace& other) {
    for (std::size_t i = 0; i < load_sources; ++i)
      cycles[i] += other.cycles[i];
    blocks += other.blocks;
  }
};

struct LaunchResult {
  Counts total;                        ///< The sum over the blocks that were executed.
  std::vector<LineCounts> lines;       ///< Ascending by file and line.
  std::vector<Counts> instructions;    ///< One per instruction of the kernel.
  std::vector<CalledFunction> called;  ///< The functions that the kernel may call, and those that they may call.
  std::vector<Fault> faults;           ///< In order of the blocks.
  std::vector<std::string> notes;      ///< Sentences about approximations and what was ignored.
  std::string stopped;                 ///< One line if the launch ended early: the limit or the unknown instruction.
  std::uint64_t blocks = 0;            ///< The number of blocks of the grid.
  std::uint64_t executed = 0;          ///< Blocks that were executed.
  Pace pace;                           ///< The pace of LaunchOptions::paced_blocks of them.
  /// The share of the blocks that the counts are from.
  [[nodiscard]] double sampled() const {
    return blocks == 0 ? 0 : static_cast<double>(executed) / static_cast<double>(blocks);
  }
};

/// Executes a kernel. Counts do not depend on the number of threads. Throws UsageError if the kernel is unknown, or its
/// arguments, grid or shared memory do not fit; faults and instructions that the machine does not know are in the
/// result.
[[nodiscard]] LaunchResult launch(const LaunchRequest& request);

/// Blocks that stand for a grid: its corners, some of its borders, and some inside, chosen by a fixed generator. All of
/// them, as an empty list, if the grid has at most `count`.
[[nodiscard]] std::vector<std::uint64_t> sample_blocks(Extent grid, std::uint64_t count);

}  // namespace threadscape::warp
