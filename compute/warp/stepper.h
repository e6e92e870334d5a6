#pragma once
// One block of a launch, instruction by instruction: any instruction of any of its warps can be looked at, in any
// order. Snapshots of the block lie so close to each other that going anywhere executes a few thousand instructions.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/warp/kept_launch.h"
#include "compute/warp/requests.h"

namespace threadscape::warp {

struct Warp;

/// The lanes of a register around an instruction.
struct LaneValues {
  std::string name;  ///< "%f12"
  Type type = Type::B32;
  bool result = false;                    ///< The instruction has written it; otherwise it reads it.
  std::array<std::uint64_t, 32> lanes{};  ///< The bits of each lane; 0 or 1 of a predicate.
};

/// Where the lanes of an instruction access memory.
struct LaneAddresses {
  Space space = Space::Global;  ///< Global, Shared or Local.
  bool writes = false;
  int bytes = 4;           ///< Bytes of a lane.
  std::uint32_t mask = 0;  ///< The lanes that access it.
  Addresses at{};
  std::string allocation;              ///< The name of the memory of the first lane; "" if there is none.
  std::uint64_t begin = 0;             ///< Where that begins.
  std::vector<std::uint64_t> sectors;  ///< Those of global memory, as addresses divided by 32, ascending.
  Wavefronts wavefronts;               ///< The wavefronts of a request for shared memory.
};

/// What a warp does with one instruction.
struct WarpStep {
  std::uint64_t number = 0;  ///< Among the instructions of the warp, from 0.
  const Function* function = nullptr;
  std::uint32_t instruction = 0;  ///< Among those of the function.
  Location place;
  std::string text;                ///< The instruction in PTX; "return" at the end of a function that does not say so.
  std::uint32_t executes = 0;      ///< The lanes that execute it: those that are active and that its predicate lets.
  std::uint32_t active = 0;        ///< The lanes that are at this instruction.
  std::uint32_t live = 0;          ///< The lanes that have not ended.
  std::uint32_t present = 0;       ///< The lanes that have a thread.
  std::vector<LaneValues> values;  ///< Registers that it reads, then those that it writes.
  std::optional<LaneAddresses> memory;
};

class Stepper {
 public:
  /// The instructions of a block that are executed at most, so that an endless kernel can be looked at, too.
  static constexpr std::uint64_t most_instructions = 1 << 20;

  /// The bytes that snapshots of the block take at most together, if two of them do not take more.
  static constexpr std::uint64_t usual_history = std::uint64_t{128} << 20;

  /// Executes the block once, and keeps snapshots on the way. Throws what launch() throws.
  Stepper(std::shared_ptr<const KeptLaunch> launch, std::uint64_t block, std::uint64_t history = usual_history);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  [[nodiscard]] const KeptLaunch& launch() const { return *launch_; }
  [[nodiscard]] std::uint64_t block() const { return block_; }
  [[nodiscard]] std::uint32_t warps() const { return static_cast<std::uint32_t>(traces_.size()); }
  /// An instruction that a warp executes.
  struct Executed {
    const Function* function = nullptr;
    std::uint32_t instruction = 0;
    std::uint32_t position = 0;  ///< Among the instructions of all warps of the block, in their order.
  };
  /// All instructions of a warp in their order.
  [[nodiscard]] std::span<const Executed> trace(std::uint32_t warp) const { return traces_[warp]; }
  /// Why the execution of the block was ended before its end; "" if it was not.
  [[nodiscard]] const std::string& stopped() const { return stopped_; }

  /// What the warp does with its instruction of that number, which is below the length of its trace. The warps of the
  /// block take turns as in launch(): each goes on until a barrier. Executes what lies between that and where the block
  /// is, or the snapshot before it.
  [[nodiscard]] WarpStep look(std::uint32_t warp, std::uint64_t number);

  /// The instructions of all warps that the last look() has executed before the one that it shows.
  [[nodiscard]] std::uint64_t replayed() const { return replayed_; }
  /// No look() executes more than this.
  [[nodiscard]] std::uint64_t most_replayed() const { return interval_; }
  /// The bytes that the snapshots take.
  [[nodiscard]] std::uint64_t history_bytes() const;

 private:
  struct Run;
  struct Snapshot;
  /// Takes a snapshot, and drops every second one, as often as there are too many.
  void keep(std::uint64_t history);
  void go_back_to(const Snapshot& snapshot);
  /// The warp that executes next, and stands at the instruction that it executes; null if the block has ended.
  [[nodiscard]] Warp* next();

  std::shared_ptr<const KeptLaunch> launch_;
  std::uint64_t block_;
  KeptLaunch::Again again_;
  std::unique_ptr<Run> run_;
  std::vector<std::unique_ptr<const Snapshot>> snapshots_;  ///< From the beginning on, one in each interval.
  std::uint64_t interval_ = 4096;  ///< Instructions of the block from one snapshot to the next.
  std::uint64_t replayed_ = 0;
  std::vector<std::vector<Executed>> traces_;
  std::string stopped_;
};

}  // namespace threadscape::warp
