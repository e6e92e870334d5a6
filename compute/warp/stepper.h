#pragma once
// One block of a launch, instruction by instruction: any instruction of any of its warps can be looked at, in any
// order.

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

  /// Executes the block once. Throws what launch() throws.
  Stepper(std::shared_ptr<const KeptLaunch> launch, std::uint64_t block);
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
  };
  /// All instructions of a warp in their order.
  [[nodiscard]] std::span<const Executed> trace(std::uint32_t warp) const { return traces_[warp]; }
  /// Why the execution of the block was ended before its end; "" if it was not.
  [[nodiscard]] const std::string& stopped() const { return stopped_; }

  /// What the warp does with its instruction of that number, which is below the length of its trace. The warps of the
  /// block take turns as in launch(): each goes on until a barrier. Going forwards executes what lies between, going
  /// back executes the block from its beginning.
  [[nodiscard]] WarpStep look(std::uint32_t warp, std::uint64_t number);

 private:
  struct Run;
  /// Begins the block anew.
  void begin();
  /// The warp that executes next, and stands at the instruction that it executes; null if the block has ended.
  [[nodiscard]] Warp* next();
  void step(Warp& warp);

  std::shared_ptr<const KeptLaunch> launch_;
  std::uint64_t block_;
  KeptLaunch::Again again_;
  std::unique_ptr<Run> run_;
  std::vector<std::vector<Executed>> traces_;
  std::string stopped_;
};

}  // namespace threadscape::warp
