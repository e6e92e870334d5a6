// A block of warps: which warp executes, where its lanes are, and what it knows of itself.

#include <algorithm>
#include <bit>

#include "compute/warp/decoder.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

std::uint32_t first_lanes(std::uint64_t count) {
  return count >= warp_lanes ? all_lanes : (std::uint32_t{1} << count) - 1;
}

}  // namespace

void Block::begin(std::uint64_t which) {
  const LaunchRequest& request = *launch.request;
  number = which;
  executed = 0;
  turn_ = delivers_ = 0;
  std::fill(std::begin(barriers_), std::end(barriers_), Barrier{});
  index = {static_cast<std::uint32_t>(which % request.grid.x),
           static_cast<std::uint32_t>(which / request.grid.x % request.grid.y),
           static_cast<std::uint32_t>(which / request.grid.x / request.grid.y)};
  const std::uint64_t threads = request.block.count();
  shared.assign(launch.shared_bytes, std::byte{0});
  local.resize(threads * launch.local_bytes);
  if (request.options.uninitialised) local_shadow.begin(local.size());
  copied.clear();
  if (clock.begin(which) || shadow.bytes() != (launch.shared_bytes + 3) / 4 * 4) shadow.resize(launch.shared_bytes);
  warps.resize((threads + warp_lanes - 1) / warp_lanes);
  if (request.options.observer != nullptr) queues.resize(warps.size());
  for (RequestQueue& queue : queues)
    queue.clear();
  for (std::uint32_t i = 0; i < warps.size(); ++i)
    begin(warps[i], i);
  paced = launch.paced_every > 0 && number % launch.paced_every == launch.paced_every / 2;
  if (paced) pace.begin(warps.size());
}

void Block::begin(Warp& warp, std::uint32_t which) {
  std::vector<std::uint64_t> storage = std::move(warp.storage);
  std::fill(storage.begin(), storage.end(), 0);
  warp = Warp{};
  warp.storage = std::move(storage);
  warp.block = this;
  warp.number = which;
  warp.present = first_lanes(launch.request->block.count() - std::uint64_t{which} * warp_lanes);
  warp.live = warp.active = warp.present;
  set_frame(warp, *launch.program->kernel);
}

void Block::set_frame(Warp& warp, const Code& code) {
  warp.code = &code;
  const std::size_t end = warp.registers + code.register_bytes / 8 + 8;
  if (warp.storage.size() < end) warp.storage.resize(end);
  warp.bank[0] = reinterpret_cast<std::byte*>(warp.storage.data() + warp.registers);
  // Constants are only read. Those of the kernel have the arguments of the launch.
  const std::uint64_t* const constants =
      &code == launch.program->kernel ? launch.constants.data() : code.constants.data();
  warp.bank[1] = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(constants));
}

bool Block::run(bool in_parts) {
  const std::uint64_t limit = launch.request->options.limits.block_instructions;
  std::uint64_t idle = 0;
  while (!launch.stop.load(std::memory_order_relaxed)) {
    bool any = false;
    for (std::size_t i = 0; i < warps.size() && !launch.stop.load(std::memory_order_relaxed); ++i) {
      if (launch.request->options.stop.stop_requested()) {
        launch.end("the launch of the kernel " + launch.request->kernel + " was cancelled");
        return false;
      }
      Warp& warp = warps[turn_];
      turn_ = turn_ + 1 == warps.size() ? 0 : turn_ + 1;
      if (warp.done || warp.barrier != none) continue;
      any = true;
      if (run_warp(warp) && in_parts && queues.empty()) return true;
    }
    if (executed > limit) {
      launch.end("block " + std::to_string(number) + " of the kernel " + launch.request->kernel + " has executed " +
                 std::to_string(limit) + " instructions, which is the limit");
      return false;
    }
    if (any && in_parts && !queues.empty()) return true;
    if (any) {
      idle = 0;
      continue;
    }
    if (!release_barriers()) return false;
    if (++idle > 1) return false;
  }
  return false;
}

bool Block::run_warp(Warp& warp) {
  const std::uint64_t until = warp.executed + turn_length;
  const RequestQueue* const queue = queues.empty() ? nullptr : &queues[warp.number];
  while (!warp.done && warp.barrier == none && (queue == nullptr || queue->size() < requests_of_turn) &&
         warp.executed < until && !launch.stop.load(std::memory_order_relaxed)) {
    step(warp);
    if (!warp.done && warp.barrier == none) run_straight(warp, until, queue);
  }
  return !warp.done && warp.barrier == none;
}

void Block::run_straight(Warp& warp, std::uint64_t until, const RequestQueue* queue) {
  const Code& code = *warp.code;
  const std::uint32_t active = warp.active;
  const std::uint64_t lanes = count_of(active);
  while (warp.pc != warp.reconverge && warp.executed < until &&
         (queue == nullptr || queue->size() < requests_of_turn) && !launch.stop.load(std::memory_order_relaxed)) {
    const Operation& op = code.operations[warp.pc];
    if (op.flow != Flow::Next || op.watched) return;
    const std::uint32_t guard = op.guard == none   ? all_lanes
                                : op.guard_negated ? ~warp.mask(op.guard)
                                                   : warp.mask(op.guard);
    if (paced) pace.issue(warp.number, code.pace, warp.pc, warp.frames.size());
    const std::uint32_t number = code.first + warp.pc;
    ++worker.executed[number];
    worker.lanes[number] += lanes;
    ++warp.executed;
    ++executed;
    if ((active & guard) != 0) op.run(warp, op, active & guard);
    ++warp.pc;
  }
}

bool Block::deliver(MemoryObserver& observer) {
  for (std::size_t tries = 0; tries < queues.size(); ++tries) {
    RequestQueue& queue = queues[delivers_];
    delivers_ = delivers_ + 1 == queues.size() ? 0 : delivers_ + 1;
    if (queue.size() == 0) continue;
    queue.deliver(observer, worker.multiprocessor);
    return true;
  }
  return false;
}

void Block::step(Warp& warp) {
  const Code& code = *warp.code;
  if (warp.pc == warp.reconverge) {
    resume(warp);
    return;
  }
  const Operation& op = code.operations[warp.pc];
  std::uint32_t mask = warp.active;
  if (op.guard != none) mask &= op.guard_negated ? ~warp.mask(op.guard) : warp.mask(op.guard);
  const std::uint32_t number = code.first + warp.pc;
  ++worker.executed[number];
  worker.lanes[number] += count_of(warp.active);
  ++warp.executed;
  ++executed;
  if (op.watched) check_registers(warp, op, mask);
  if (paced) {
    pace.issue(warp.number, code.pace, warp.pc, warp.frames.size());
    if (op.flow != Flow::Next) pace.end_basic_block(warp.number);
  }
  switch (op.flow) {
    case Flow::Next:
      if (mask != 0) op.run(warp, op, mask);
      ++warp.pc;
      return;
    case Flow::Branch:
      branch(warp, op, mask, op.target);
      return;
    case Flow::IndexedBranch:
      indexed_branch(warp, op, mask);
      return;
    case Flow::Call:
      call(warp, op, mask);
      return;
    case Flow::Return:
      ++warp.pc;
      if (mask != 0) leave(warp, mask);
      return;
    case Flow::Exit:
      ++warp.pc;
      if (mask != 0) finish(warp, mask);
      return;
    case Flow::Trap:
      ++warp.pc;
      if (mask != 0) trap(warp, op, mask);
      return;
    case Flow::Barrier:
      ++warp.pc;
      if (mask != 0) barrier(warp, op, mask);
      return;
    case Flow::WarpBarrier:
      ++warp.pc;
      if (mask != 0) warp_barrier(warp, op, mask);
      return;
    case Flow::Unknown:
      unknown(warp, op);
      return;
  }
}

void Block::branch(Warp& warp, const Operation& op, std::uint32_t taken, std::uint32_t target) {
  std::uint32_t rest = warp.active & ~taken;
  if (rest != 0 && taken != 0 && !op.leaves) ++counts(warp, op).divergent_branches;
  if (op.breaks && warp.reconverge != none) {
    if (leave_loop(warp, taken, target)) taken = 0;
    if (leave_loop(warp, rest, warp.pc + 1)) rest = 0;
    if (warp.active == 0) {
      resume(warp);
      return;
    }
  }
  if (rest == 0) {
    warp.pc = target;
    return;
  }
  if (taken == 0) {
    ++warp.pc;
    return;
  }
  const std::uint32_t meeting = meet(warp, op);
  if (target != meeting && warp.pc + 1 != meeting) warp.pending.push_back({target, meeting, taken, false});
  const bool goes_on = warp.pc + 1 != meeting;
  warp.active = goes_on ? rest : taken;
  warp.pc = goes_on ? warp.pc + 1 : target;
}

void Block::indexed_branch(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (mask == 0) {
    ++warp.pc;
    return;
  }
  const std::vector<std::uint32_t>& table = warp.code->tables[op.target];
  const std::uint32_t* const which = warp.lanes<std::uint32_t>(op.s[0]);
  const std::uint32_t first = which[std::countr_zero(mask)];
  if (first >= table.size()) {
    launch.end("an indexed branch at " + launch.place(location(warp, op)) + " goes beyond its table");
    return;
  }
  std::uint32_t same = 0;
  for (int lane = 0; lane < warp_lanes; ++lane)
    if ((mask >> lane & 1) != 0 && which[lane] == first) same |= 1U << lane;
  if (same != warp.active) ++counts(warp, op).divergent_branches;
  if (op.breaks && leave_loop(warp, same, table[first])) {
    // Lanes with other targets execute the branch again.
    if (warp.active == 0) resume(warp);
    return;
  }
  if (same == warp.active) {
    warp.pc = table[first];
    return;
  }
  const std::uint32_t rest = warp.active & ~same;
  const std::uint32_t meeting = meet(warp, op);
  warp.pending.push_back({mask == same ? warp.pc + 1 : warp.pc, meeting, rest, false});
  warp.active = same;
  warp.pc = table[first];
}

void Block::resume(Warp& warp) {
  while (!warp.pending.empty()) {
    const Pending next = warp.pending.back();
    warp.pending.pop_back();
    const std::uint32_t lanes = next.lanes & warp.live;
    if (next.frame) {
      const Frame frame = warp.frames.back();
      warp.frames.pop_back();
      warp.local = frame.local;
      warp.registers = frame.registers;
      set_frame(warp, *frame.code);
    }
    warp.pc = next.pc;
    warp.reconverge = next.reconverge;
    warp.active = lanes;
    if (lanes != 0) return;
  }
  warp.active = 0;
  warp.done = true;
}

void Block::finish(Warp& warp, std::uint32_t mask) {
  warp.live &= ~mask;
  warp.active &= ~mask;
  if (warp.active == 0) resume(warp);
}

void Block::warp_barrier(Warp& warp, const Operation& op, std::uint32_t mask) {
  const std::uint32_t named = warp.lanes<std::uint32_t>(op.s[0])[std::countr_zero(mask)] & warp.live;
  warp.synced = clock.tick();
  if ((named & ~mask) == 0) return;
  const int lane = std::countr_zero(named & ~mask);
  fault(Fault::Kind::BarrierDivergence, warp, op, lane, 0,
        "lane " + std::to_string(lane) +
            " is among the lanes of a barrier of the warp, but does not reach it with the others");
}

std::uint32_t Block::thread_id(const Warp& warp, int lane, int axis) const {
  const Extent& block = launch.request->block;
  const std::uint32_t linear = thread(warp, lane);
  return axis == 0 ? linear % block.x : axis == 1 ? linear / block.x % block.y : linear / block.x / block.y;
}

std::uint64_t Block::special(const Warp& warp, std::uint8_t which, int lane) const {
  const LaunchRequest& request = *launch.request;
  const std::uint32_t bit = std::uint32_t{1} << lane;
  switch (static_cast<Special>(which)) {
    case Special::TidX:
      return thread_id(warp, lane, 0);
    case Special::TidY:
      return thread_id(warp, lane, 1);
    case Special::TidZ:
      return thread_id(warp, lane, 2);
    case Special::NtidX:
      return request.block.x;
    case Special::NtidY:
      return request.block.y;
    case Special::NtidZ:
      return request.block.z;
    case Special::CtaidX:
      return index.x;
    case Special::CtaidY:
      return index.y;
    case Special::CtaidZ:
      return index.z;
    case Special::NctaidX:
      return request.grid.x;
    case Special::NctaidY:
      return request.grid.y;
    case Special::NctaidZ:
      return request.grid.z;
    case Special::LaneId:
      return static_cast<std::uint64_t>(lane);
    case Special::WarpId:
      return warp.number;
    case Special::NwarpId:
      return warps.size();
    case Special::SmId:
      return static_cast<std::uint64_t>(worker.multiprocessor);
    case Special::NsmId:
      return static_cast<std::uint64_t>(request.options.multiprocessors);
    case Special::LaneMaskEq:
      return bit;
    case Special::LaneMaskLt:
      return bit - 1;
    case Special::LaneMaskLe:
      return bit | (bit - 1);
    case Special::LaneMaskGt:
      return ~(bit | (bit - 1));
    case Special::LaneMaskGe:
      return ~(bit - 1);
    case Special::Clock:
      return static_cast<std::uint32_t>(executed);
    case Special::ClockHigh:
      return executed >> 32;
    case Special::Clock64:
    case Special::Timer:
      return executed;
    case Special::DynamicShared:
      return request.dynamic_shared_bytes;
    case Special::TotalShared:
      return launch.shared_bytes;
    case Special::One:
      return 1;
    default:
      return 0;
  }
}

std::uint32_t Block::location(const Warp& warp, const Operation& op) const {
  const auto at = static_cast<std::size_t>(&op - warp.code->operations.data());
  const std::vector<Instruction>& instructions = warp.code->function->instructions;
  return at < instructions.size() ? instructions[at].location : 0;
}

}  // namespace threadscape::warp
