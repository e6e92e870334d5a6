#pragma once
// What executes a launch: the state that all threads share, that of one thread, and that of a block.

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "compute/warp/code.h"
#include "compute/warp/machine.h"
#include "compute/warp/program.h"
#include "compute/warp/shadow.h"

namespace threadscape::warp {

/// A warp gives way to the next one after so many instructions, since that may be what it waits for.
inline constexpr std::uint64_t turn_length = 1 << 14;

/// With an observer, a warp also gives way after so many requests. The observer gets them one by one from the warps in
/// turn: kept so far, since a warp that goes on for a while stays in the caches of the processor.
inline constexpr std::size_t requests_of_turn = 32;

/// A launch, which its threads share. Only the atomic members and those under the lock change while it runs.
struct LaunchState {
  /// Gives the launch its program and memory. Throws what launch() throws.
  explicit LaunchState(const LaunchRequest& request);

  const LaunchRequest* request;
  std::shared_ptr<const Program> program;
  std::vector<Allocation> memory;                 ///< Ascending by address.
  std::vector<std::vector<std::byte>> variables;  ///< Memory of variables that the launch makes.
  std::vector<std::uint64_t> constants;           ///< The kernel's bank of constants, with its arguments.
  std::uint64_t shared_bytes = 0, local_bytes = 0;
  std::unique_ptr<GlobalShadow> shadow;    ///< Null where races in global memory are not looked for.
  std::uint64_t paced_every = 0;           ///< The pace of one of so many blocks is found; 0: of none.
  std::atomic<std::uint64_t> executed{0};  ///< Operations of the blocks that have ended.
  std::atomic<bool> stop{false};
  std::mutex lock;
  std::string stopped;

  /// Ends the launch with one line, the first of which stays.
  void end(const std::string& why);
  /// A place in a program, for messages: "blur.cu:12".
  [[nodiscard]] std::string place(std::uint32_t location) const;
};

/// What one thread of the host counts and finds.
class Worker {
 public:
  explicit Worker(LaunchState& launch)
      : launch(launch),
        executed(launch.program->operations),
        lanes(launch.program->operations),
        counts(launch.program->operations),
        allocation(launch.program->operations) {}

  LaunchState& launch;
  std::vector<std::uint64_t> executed, lanes;  ///< Of each operation.
  std::vector<Counts> counts;                  ///< Those of memory and branches, of each operation.
  std::vector<std::uint32_t> allocation;       ///< Where each operation found its address the last time.
  std::map<std::pair<Fault::Kind, std::uint32_t>, Fault> faults;
  int multiprocessor = 0;
  Pace pace;

  /// The allocation that holds a range; null if none does, with a sentence about the nearest ones in `nearest`.
  const Allocation* find(std::uint32_t operation, std::uint64_t address, std::uint64_t bytes);
  [[nodiscard]] std::string nearest(std::uint64_t address, std::uint64_t bytes) const;
};

/// Requests for global memory that the observer has not seen.
class RequestQueue {
 public:
  void clear() { requests_.clear(), sectors_.clear(), next_ = 0; }
  /// Adds a copy.
  void add(const MemoryRequest& request) {
    requests_.push_back(request);
    begins_.resize(requests_.size());
    begins_.back() = sectors_.size();
    sectors_.insert(sectors_.end(), request.sectors.begin(), request.sectors.end());
  }
  [[nodiscard]] std::size_t size() const { return requests_.size() - next_; }
  /// Gives the first one to the observer.
  void deliver(MemoryObserver& observer, int multiprocessor) {
    MemoryRequest& request = requests_[next_];
    request.sectors = std::span(sectors_).subspan(begins_[next_], request.sectors.size());
    observer.request(multiprocessor, request);
    if (++next_ == requests_.size()) clear();
  }

 private:
  std::vector<MemoryRequest> requests_;
  std::vector<std::size_t> begins_;  ///< Where their sectors begin.
  std::vector<std::uint64_t> sectors_;
  std::size_t next_ = 0;
};

class Block {
  friend class Stepper;

 public:
  explicit Block(Worker& worker) : worker(worker), launch(worker.launch) {}
  /// Begins the block of that number, with the memory of the one before it.
  void begin(std::uint64_t which);

  /// Executes the block until it ends, or a part of it. True if it goes on. For an observer a part is a turn of each
  /// warp, whose requests wait for deliver(); else it is a turn of one warp.
  bool run(bool in_parts);
  /// Gives the observer a request of the next warp that has some. False if no warp has.
  bool deliver(MemoryObserver& observer);
  /// Adds the pace of the block that has ended.
  void note_pace() {
    if (paced) worker.pace.add({pace.end(), 1});
  }
  void fault(Fault::Kind kind, const Warp& warp, const Operation& op, int lane, std::uint64_t address,
             const std::string& text, std::uint32_t other = 0);
  [[nodiscard]] std::uint32_t operation_number(const Warp& warp, const Operation& op) const {
    return warp.code->first + static_cast<std::uint32_t>(&op - warp.code->operations.data());
  }
  [[nodiscard]] std::uint32_t location(const Warp& warp, const Operation& op) const;
  Counts& counts(const Warp& warp, const Operation& op) { return worker.counts[operation_number(warp, op)]; }
  [[nodiscard]] std::uint32_t thread(const Warp& warp, int lane) const {
    return warp.number * warp_lanes + static_cast<std::uint32_t>(lane);
  }
  /// The memory of a lane.
  [[nodiscard]] std::byte* local_memory(const Warp& warp, int lane) {
    return local.data() + std::uint64_t{thread(warp, lane)} * launch.local_bytes;
  }
  [[nodiscard]] std::uint32_t thread_id(const Warp& warp, int lane, int axis) const;
  /// A special register, a member of Special, of a lane.
  [[nodiscard]] std::uint64_t special(const Warp& warp, std::uint8_t which, int lane) const;

  Worker& worker;
  LaunchState& launch;
  std::uint64_t number = 0;
  Extent index;
  std::vector<Warp> warps;
  std::vector<std::byte> shared, local;
  ShadowCells shadow;        ///< The shadow of shared memory.
  LocalShadow local_shadow;  ///< Empty where reads of what was never written are not looked for.
  /// The notes of copies to words of shared memory that have not been waited for, by word. Empty if there was none.
  std::vector<std::uint64_t> copied;
  BlockClock clock;
  bool paced = false;  ///< The pace of this block is found.
  BlockPace pace;
  std::uint64_t executed = 0;
  std::vector<RequestQueue> queues;  ///< By the warp, if there is an observer.

 private:
  void begin(Warp& warp, std::uint32_t which);
  bool run_warp(Warp& warp);
  /// Executes instructions up to the next that goes elsewhere, ends a wait, or reads a register that may be unwritten.
  void run_straight(Warp& warp, std::uint64_t until, const RequestQueue* queue);
  void step(Warp& warp);
  void branch(Warp& warp, const Operation& op, std::uint32_t taken, std::uint32_t target);
  void indexed_branch(Warp& warp, const Operation& op, std::uint32_t mask);
  /// Lets the lanes of a branch meet again where it says, in the entries of all lanes. Returns the nearest place.
  std::uint32_t meet(Warp& warp, const Operation& op);
  /// Takes lanes whose way leaves a loop, within which the others meet, out of the warp until these have left it, too.
  /// Returns false for other ways.
  bool leave_loop(Warp& warp, std::uint32_t lanes, std::uint32_t to);
  void call(Warp& warp, const Operation& op, std::uint32_t mask);
  void enter(Warp& warp, const Code& code, const Operation& op);
  void leave(Warp& warp, std::uint32_t mask);
  void finish(Warp& warp, std::uint32_t mask);
  void set_frame(Warp& warp, const Code& code);
  void resume(Warp& warp);
  void barrier(Warp& warp, const Operation& op, std::uint32_t mask);
  void warp_barrier(Warp& warp, const Operation& op, std::uint32_t mask);
  bool release_barriers();
  void release(std::uint32_t barrier, bool all);
  void trap(Warp& warp, const Operation& op, std::uint32_t mask);
  void unknown(const Warp& warp, const Operation& op);
  void check_registers(Warp& warp, const Operation& op, std::uint32_t mask);
  bool external(Warp& warp, const Operation& op, const Function& function, std::uint32_t mask);

  /// What has arrived at each of the 16 barriers.
  struct Barrier {
    std::uint32_t arrived = 0;  ///< Threads.
    std::uint32_t votes = 0;    ///< Of bar.red: threads whose predicate is true.
    const Operation* operation = nullptr;
    const Warp* warp = nullptr;
  };
  Barrier barriers_[16];
  std::size_t turn_ = 0, delivers_ = 0;
};

}  // namespace threadscape::warp
