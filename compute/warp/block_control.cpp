// Calls, barriers and faults of a block of warps.

#include <algorithm>
#include <bit>
#include <cstring>

#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

/// Calls nest at most that deep.
constexpr std::size_t max_frames = 256;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

/// The place of the results in the frame of a function.
std::uint64_t results_begin(const Function& function) {
  const std::uint64_t end =
      function.parameters.empty() ? 0 : function.parameters.back().offset + function.parameters.back().bytes;
  return rounded_up(end, 128);
}

}  // namespace

std::uint32_t Block::meet(Warp& warp, const Operation& op) {
  // Lanes that are at the place of meeting wait there in the entry of all lanes.
  const auto add = [&](std::uint32_t at) {
    if (at == warp.reconverge) return;
    warp.pending.push_back({at, warp.reconverge, warp.active, false});
    warp.reconverge = at;
  };
  if (op.meetings == none) {
    add(op.reconverge);
    return warp.reconverge;
  }
  // Entries for the loops around the one in which the lanes meet already are there.
  const std::vector<Meeting>& meetings = warp.code->meetings[op.meetings];
  std::size_t first = meetings.size() - 1;
  while (first > 0 && !warp.code->holds(warp.code->loops[meetings[first].loop], warp.reconverge))
    --first;
  for (; first < meetings.size(); ++first)
    add(meetings[first].at);
  return warp.reconverge;
}

bool Block::leave_loop(Warp& warp, std::uint32_t lanes, std::uint32_t to) {
  const Code& code = *warp.code;
  const auto left = std::ranges::find_if(
      code.loops, [&](const Loop& loop) { return code.holds(loop, warp.pc) && !code.holds(loop, to); });
  if (lanes == 0 || left == code.loops.end() || !code.holds(*left, warp.reconverge)) return false;
  auto entry = warp.pending.end();
  std::uint32_t meeting = warp.reconverge;
  while (entry != warp.pending.begin() && code.holds(*left, meeting)) {
    --entry;
    entry->lanes &= ~lanes;
    meeting = entry->reconverge;
  }
  warp.active &= ~lanes;
  if (to != meeting) warp.pending.insert(entry, {to, meeting, lanes, false});
  return true;
}

void Block::call(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (mask == 0) {
    ++warp.pc;
    return;
  }
  std::uint64_t target = op.immediate;
  std::uint32_t same = mask;
  if (op.s[0] != none) {
    const std::uint64_t* const targets = warp.lanes<std::uint64_t>(op.s[0]);
    target = targets[std::countr_zero(mask)];
    for (int lane = 0; lane < warp_lanes; ++lane)
      if ((same >> lane & 1) != 0 && targets[lane] != target) same &= ~(1U << lane);
  }
  if (same != warp.active) {
    // Lanes that do not call this function wait until it returns, or call their own functions first.
    const std::uint32_t behind = warp.pc + 1;
    warp.pending.push_back({behind, warp.reconverge, warp.active, false});
    if (mask != same) warp.pending.push_back({warp.pc, behind, mask & ~same, false});
    warp.reconverge = behind;
    warp.active = same;
  }
  const std::uint64_t number = (target & ~window::mask) / 16;
  if ((target & window::mask) == window::functions && number < launch.program->codes.size()) {
    const Function& function = launch.request->module->functions[number];
    if (const Code* const code = launch.program->codes[number].get(); code != nullptr) {
      enter(warp, *code, op);
      return;
    }
    if (external(warp, op, function, same)) return;
    launch.end("the function " + function.name + ", called at " + launch.place(location(warp, op)) +
               ", is not defined");
    return;
  }
  launch.end("a call at " + launch.place(location(warp, op)) + " goes to an address where no function is");
}

void Block::enter(Warp& warp, const Code& code, const Operation& op) {
  const std::uint64_t frame = warp.local + rounded_up(warp.code->local_bytes, 128);
  if (warp.frames.size() >= max_frames || frame + code.local_bytes > launch.local_bytes) {
    launch.end("calls at " + launch.place(location(warp, op)) + " nest deeper than the stack of a thread");
    return;
  }
  const std::uint32_t* const places = warp.code->slots.data() + op.list + op.mode;
  const std::size_t count = std::min<std::size_t>(op.list_count - op.mode, code.function->parameters.size());
  const auto fits = [&](std::uint32_t place, const Variable& variable) {
    return variable.bytes <= warp.code->local_bytes && place <= warp.code->local_bytes - variable.bytes;
  };
  bool fit = true;
  for (std::size_t i = 0; i < count; ++i)
    fit &= fits(places[i], code.function->parameters[i]);
  for (std::size_t i = 0; i < std::min<std::size_t>(op.mode, code.function->results.size()); ++i)
    fit &= fits(warp.code->slots[op.list + i], code.function->results[i]);
  if (!fit) {
    launch.end("the call at " + launch.place(location(warp, op)) + " has smaller parameters than its function");
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& parameter = code.function->parameters[i];
    for (std::uint32_t left = warp.active; left != 0; left &= left - 1) {
      std::byte* const memory = local_memory(warp, std::countr_zero(left));
      std::memmove(memory + frame + parameter.offset, memory + warp.local + places[i], parameter.bytes);
    }
  }
  if (launch.request->options.uninitialised)
    for (std::uint32_t left = warp.active; left != 0; left &= left - 1) {
      const auto begin = static_cast<std::uint64_t>(local_memory(warp, std::countr_zero(left)) - local.data()) + frame;
      local_shadow.forget(begin, code.local_bytes);
      for (std::size_t i = 0; i < count; ++i)
        local_shadow.mark(begin + code.function->parameters[i].offset, code.function->parameters[i].bytes);
    }
  warp.frames.push_back({warp.code, warp.local, warp.registers, warp.pc});
  warp.pending.push_back({warp.pc + 1, warp.reconverge, warp.active, true});
  warp.registers += warp.code->register_bytes / 8;
  warp.local = frame;
  warp.pc = 0;
  warp.reconverge = none;
  set_frame(warp, code);
  std::memset(warp.bank[0] + (code.register_bytes - code.watched_bytes), 0, code.watched_bytes);
}

void Block::leave(Warp& warp, std::uint32_t mask) {
  // Lanes that return leave all entries of this call, and continue with the caller when the last of them has returned.
  const Frame& frame = warp.frames.back();
  const Operation& op = frame.code->operations[frame.call];
  const Function& function = *warp.code->function;
  const std::uint64_t results = warp.local + results_begin(function);
  for (std::size_t i = 0; i < std::min<std::size_t>(op.mode, function.results.size()); ++i)
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      std::byte* const memory = local_memory(warp, std::countr_zero(left));
      std::memmove(memory + frame.local + frame.code->slots[op.list + i], memory + results + function.results[i].offset,
                   function.results[i].bytes);
    }
  for (auto entry = warp.pending.rbegin(); entry != warp.pending.rend() && !entry->frame; ++entry)
    entry->lanes &= ~mask;
  warp.active &= ~mask;
  if (warp.active == 0) resume(warp);
}

bool Block::external(Warp& warp, const Operation& op, const Function& function, std::uint32_t mask) {
  if (function.name == "vprintf") {
    // The text is not printed; the call returns that it printed nothing.
    const std::uint32_t place = op.mode > 0 ? warp.code->slots[op.list] : none;
    for (std::uint32_t left = mask; left != 0 && place != none; left &= left - 1)
      std::memset(local_memory(warp, std::countr_zero(left)) + warp.local + place, 0, 4);
    ++warp.pc;
    return true;
  }
  if (function.name != "__assertfail") return false;
  ++warp.pc;
  trap(warp, op, mask);
  return true;
}

void Block::trap(Warp& warp, const Operation& op, std::uint32_t mask) {
  fault(Fault::Kind::Trap, warp, op, std::countr_zero(mask), 0, "the kernel stops itself");
  launch.end("the kernel " + launch.request->kernel + " stops itself at " + launch.place(location(warp, op)));
}

void Block::unknown(const Warp& warp, const Operation& op) {
  const auto at = static_cast<std::size_t>(&op - warp.code->operations.data());
  const Instruction& from = warp.code->function->instructions[at];
  launch.end("the instruction " + launch.request->module->names[from.name] + " at " + launch.place(from.location) +
             " (PTX line " + std::to_string(from.ptx_line) + ") of the kernel " + launch.request->kernel +
             " is not known to the machine");
}

void Block::barrier(Warp& warp, const Operation& op, std::uint32_t mask) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  const std::uint32_t which = warp.lanes<std::uint32_t>(op.s[0])[lane];
  const std::uint32_t threads = op.s[1] == none ? 0 : warp.lanes<std::uint32_t>(op.s[1])[lane];
  if (which >= 16) {
    launch.end("the barrier " + std::to_string(which) + " at " + launch.place(location(warp, op)) +
               " is not one of the 16");
    return;
  }
  if (const std::uint32_t missing = warp.live & ~mask; missing != 0)
    fault(Fault::Kind::BarrierDivergence, warp, op, std::countr_zero(missing), 0,
          "lane " + std::to_string(std::countr_zero(missing)) +
              " of the warp does not reach the barrier with the others");
  Barrier& barrier = barriers_[which];
  barrier.arrived += warp_lanes;
  barrier.operation = &op;
  barrier.warp = &warp;
  if (op.mode >= 2) barrier.votes += static_cast<std::uint32_t>(std::popcount(warp.predicate(op, 2) & mask));
  warp.synced = clock.tick();
  if (paced) pace.arrive(warp.number);
  if (op.mode != 1) {
    warp.barrier = which;
    warp.barrier_threads = threads;
  }
  if (threads != 0 && barrier.arrived >= threads) release(which, threads >= warps.size() * warp_lanes);
}

bool Block::release_barriers() {
  // No warp can execute. A barrier is complete when all warps that have not ended wait at it.
  std::uint32_t which = none;
  std::size_t waiting = 0, ended = 0;
  for (const Warp& warp : warps) {
    ended += warp.done ? 1 : 0;
    if (warp.barrier == none) continue;
    ++waiting;
    if (which == none || warp.barrier_threads == 0) which = warp.barrier;
  }
  if (which == none) return false;
  const Barrier& barrier = barriers_[which];
  bool complete = true;
  for (const Warp& warp : warps)
    complete &= warp.done || warp.barrier == which;
  for (const Warp& warp : warps) {
    if (warp.barrier == none || (complete && warp.barrier_threads == 0)) continue;
    const Operation* const op = barriers_[warp.barrier].operation;
    fault(Fault::Kind::Deadlock, warp, *op, std::countr_zero(warp.live), 0,
          "threads wait at barrier " + std::to_string(warp.barrier) + " for others that never reach it");
    return false;
  }
  if (ended > 0) {
    const auto gone = std::find_if(warps.begin(), warps.end(), [](const Warp& warp) { return warp.done; });
    fault(Fault::Kind::BarrierDivergence, *barrier.warp, *barrier.operation, 0, 0,
          "thread " + std::to_string(gone->number * warp_lanes) + " has ended, and " + std::to_string(waiting) +
              " warps wait at a barrier");
  }
  release(which, true);
  return true;
}

void Block::release(std::uint32_t which, bool all) {
  Barrier& barrier = barriers_[which];
  std::uint32_t threads = 0;
  if (paced) {
    std::vector<std::uint32_t> waiting;
    for (const Warp& warp : warps)
      if (warp.barrier == which) waiting.push_back(warp.number);
    pace.release(waiting);
  }
  for (const Warp& warp : warps)
    if (warp.barrier == which) threads += static_cast<std::uint32_t>(std::popcount(warp.active));
  for (Warp& warp : warps) {
    if (warp.barrier != which) continue;
    const Operation& op = warp.code->operations[warp.pc - 1];
    if (op.mode == 2) std::fill_n(warp.lanes<std::uint32_t>(op.d), warp_lanes, barrier.votes);
    if (op.mode >= 3) {
      const bool result = op.mode == 3 ? barrier.votes == threads : barrier.votes != 0;
      warp.mask(op.d) = (warp.mask(op.d) & ~warp.active) | (result ? warp.active : 0);
    }
    warp.barrier = none;
  }
  barrier = Barrier{};
  // A barrier of some warps orders these alone; taking it for one of all warps may hide a race, but invents none.
  static_cast<void>(all);
  clock.barrier();
}

void Block::fault(Fault::Kind kind, const Warp& warp, const Operation& op, int lane, std::uint64_t address,
                  const std::string& text, std::uint32_t other) {
  const std::uint32_t where = operation_number(warp, op);
  const auto [found, added] = worker.faults.try_emplace({kind, where});
  Fault& fault = found->second;
  if (!added && fault.block <= number) {
    ++fault.times;
    return;
  }
  const auto at = static_cast<std::size_t>(&op - warp.code->operations.data());
  const std::uint64_t times = added ? 1 : fault.times + 1;
  fault = Fault{.kind = kind,
                .location = location(warp, op),
                .other = other,
                .block = number,
                .address = address,
                .times = times};
  if (at < warp.code->function->instructions.size()) fault.ptx_line = warp.code->function->instructions[at].ptx_line;
  fault.thread = thread(warp, lane);
  fault.text = launch.place(fault.location) + ", kernel " + launch.request->kernel + ", block " +
               std::to_string(number) + ", thread " + std::to_string(fault.thread) + ": " + text;
}

}  // namespace threadscape::warp
