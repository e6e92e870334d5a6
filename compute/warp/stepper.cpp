#include "compute/warp/stepper.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "compute/warp/access.h"
#include "compute/warp/ptx_text.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

/// Calls f with the register of each operand of the instruction, and whether the instruction writes it.
template <class F>
void for_each_register(const Module& module, const Function& function, const Instruction& instruction, const F& f) {
  const bool writes = !writes_no_register(spec_of(module.names[instruction.name]));
  if (instruction.guard >= 0) f(static_cast<std::uint32_t>(instruction.guard), false);
  for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
    const Operand& operand = function.operands[instruction.operands + k];
    const bool result = writes && (k == 0 || (k == 1 && operand.joined));
    const auto one = [&](const Operand& of) {
      if (of.kind == Operand::Kind::Register) f(of.index, result);
      if (of.kind == Operand::Kind::Address && of.base == Operand::Kind::Register) f(of.index, false);
    };
    if (operand.kind == Operand::Kind::List) {
      for (std::uint32_t j = 0; j < operand.count; ++j)
        one(function.operands[operand.index + j]);
    } else {
      one(operand);
    }
  }
}

LaneValues values_of(const Warp& warp, std::uint32_t index, bool result) {
  const Register& from = warp.code->function->registers[index];
  LaneValues values{.name = from.name, .type = from.type, .result = result, .lanes = {}};
  const std::uint32_t slot = warp.code->registers[index];
  if (slot == none) return values;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane)
    values.lanes[lane] = from.type == Type::Pred                       ? warp.mask(slot) >> lane & 1
                         : threadscape::warp::bytes_of(from.type) == 8 ? warp.lanes<std::uint64_t>(slot)[lane]
                                                                       : warp.lanes<std::uint32_t>(slot)[lane];
  return values;
}

/// The lanes that execute an operation.
std::uint32_t executing_lanes(const Warp& warp, const Operation& op) {
  if (op.guard == none) return warp.active;
  return warp.active & (op.guard_negated ? ~warp.mask(op.guard) : warp.mask(op.guard));
}

/// How an instruction with this name accesses memory that others see.
struct Accesses {
  bool reads = false, writes = false;
};
Accesses accesses_of(std::string_view name) {
  const Spec spec = spec_of(name);
  if (spec.has("param")) return {};
  const bool updates = spec.base == "atom" || spec.base == "red";
  return {.reads = updates || spec.base == "ld" || spec.base == "ldu", .writes = updates || spec.base == "st"};
}

/// Where an instruction accesses memory that others see; nothing for other instructions.
std::optional<LaneAddresses> addresses_of(Warp& warp, const Operation& op, std::string_view name, std::uint32_t mask) {
  const Accesses accesses = accesses_of(name);
  if ((!accesses.reads && !accesses.writes) || op.space == Space::Param || mask == 0) return {};
  LaneAddresses found;
  found.writes = accesses.writes;
  found.bytes = threadscape::warp::bytes_of(op);
  find_addresses(warp, op, found.at);
  std::uint32_t left = mask;
  const Part part = take_part(op, found.at, left);
  found.space = part.space;
  found.mask = part.mask;
  if (part.space == Space::Global) {
    const Sectors sectors(found.at, found.mask, found.bytes);
    found.sectors.assign(sectors.list().begin(), sectors.list().end());
    const Allocation* const in = warp.block->worker.find(
        warp.block->operation_number(warp, op), found.at[static_cast<std::size_t>(std::countr_zero(found.mask))], 1);
    if (in != nullptr) {
      found.allocation = in->name;
      found.begin = in->address;
    }
  } else if (part.space == Space::Shared) {
    found.wavefronts = wavefronts(found.at, found.mask, found.bytes, found.writes);
  }
  return found;
}

}  // namespace

/// The state of the block between two instructions.
struct Stepper::Run {
  explicit Run(const LaunchRequest& request) : state(request), worker(state), block(worker) {}

  /// Notes the sectors of global memory that the next operation of a warp writes, with what they hold before the first
  /// time.
  void note_writes(Warp& warp) {
    const Code& code = *warp.code;
    if (warp.pc >= code.function->instructions.size()) return;
    const Operation& op = code.operations[warp.pc];
    const auto [writes, is_new] = writes_of.try_emplace(&op, false);
    const Module& module = *state.request->module;
    if (is_new) writes->second = accesses_of(module.names[code.function->instructions[warp.pc].name]).writes;
    std::uint32_t left = writes->second ? executing_lanes(warp, op) : 0;
    if (left == 0) return;
    Addresses at;
    find_addresses(warp, op, at);
    while (left != 0) {
      const Part part = take_part(op, at, left);
      if (part.space != Space::Global) continue;
      const Sectors sectors(at, part.mask, threadscape::warp::bytes_of(op));
      for (const std::uint64_t sector : sectors.list())
        if (known.insert(sector).second) add(sector * 32);
    }
  }
  void add(std::uint64_t begin) {
    // An allocation need not begin or end with a sector.
    auto in = std::ranges::upper_bound(state.memory, begin, {}, &Allocation::address);
    if (in != state.memory.begin()) --in;
    for (; in != state.memory.end() && in->address < begin + 32; ++in) {
      const std::uint64_t from = std::max(begin, in->address), to = std::min(begin + 32, in->address + in->bytes);
      if (from >= to) continue;
      Written& part = written.emplace_back(Written{in->memory + (from - in->address), to - from, {}});
      std::memcpy(part.before.data(), part.memory, part.bytes);
    }
  }

  /// A part of global memory that the block writes.
  struct Written {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;  ///< At most 32.
    std::array<std::byte, 32> before{};
  };
  LaunchState state;
  Worker worker;
  Block block;
  std::uint64_t turn_end = 0;  ///< What the warp whose turn it is has executed when the turn ends.
  std::unordered_map<const Operation*, bool> writes_of;  ///< True for writes to memory that others see.
  std::unordered_set<std::uint64_t> known;
  std::vector<Written> written;  ///< The parts in the order of their first writes.
};

/// The state of the block after some instructions.
struct Stepper::Snapshot {
  explicit Snapshot(const Run& run)
      : executed(run.block.executed),
        turn_end(run.turn_end),
        turn(run.block.turn_),
        warps(run.block.warps),
        shared(run.block.shared),
        local(run.block.local),
        copied(run.block.copied),
        clock(run.block.clock) {
    std::ranges::copy(run.block.barriers_, barriers.begin());
    for (const Run::Written& part : run.written)
      global.insert(global.end(), part.memory, part.memory + part.bytes);
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = sizeof *this + shared.size() + local.size() + copied.size() * sizeof copied[0] + global.size();
    for (const Warp& warp : warps)
      sum += sizeof warp + warp.storage.size() * sizeof warp.storage[0] + warp.pending.size() * sizeof(Pending) +
             warp.frames.size() * sizeof(Frame) + warp.copies.size() * sizeof(PendingCopy);
    return sum;
  }

  std::uint64_t executed, turn_end;
  std::size_t turn;
  std::vector<Warp> warps;
  std::vector<std::byte> shared, local;
  std::vector<std::uint64_t> copied;
  BlockClock clock;
  std::array<Block::Barrier, 16> barriers;
  std::vector<std::byte> global;  ///< What the parts of Run::written hold that were written by then.
};

Stepper::Stepper(std::shared_ptr<const KeptLaunch> launch, std::uint64_t block, std::uint64_t history)
    : launch_(std::move(launch)), block_(block), again_(*launch_) {
  LaunchOptions& options = again_.request().options;
  // Faults are in the counts of the launch. Looking for races would take notes that snapshots do not keep.
  options.uninitialised = options.races = false;
  options.blocks = {block_};
  run_ = std::make_unique<Run>(again_.request());
  run_->block.begin(block_);
  traces_.resize(run_->block.warps.size());
  const std::uint64_t& executed = run_->block.executed;
  keep(history);
  while (Warp* const warp = next()) {
    if (executed >= most_instructions) {
      stopped_ = "only the first " + std::to_string(most_instructions) + " instructions of the block are shown";
      break;
    }
    traces_[warp->number].push_back({warp->code->function, warp->pc, static_cast<std::uint32_t>(executed)});
    run_->note_writes(*warp);
    run_->block.step(*warp);
    if (executed % interval_ == 0) keep(history);
  }
  if (stopped_.empty()) stopped_ = run_->state.stopped;
}

Stepper::~Stepper() = default;

void Stepper::keep(std::uint64_t history) {
  constexpr std::size_t most = 64;
  snapshots_.push_back(std::make_unique<const Snapshot>(*run_));
  while (snapshots_.size() > 2 && (snapshots_.size() > most || history_bytes() > history)) {
    // The last one stays only if it begins a longer interval.
    interval_ *= 2;
    std::erase_if(snapshots_, [this](const auto& snapshot) { return snapshot->executed % interval_ != 0; });
  }
}

std::uint64_t Stepper::history_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& snapshot : snapshots_)
    sum += snapshot->bytes();
  return sum;
}

void Stepper::go_back_to(const Snapshot& snapshot) {
  Block& block = run_->block;
  block.executed = snapshot.executed;
  block.turn_ = snapshot.turn;
  block.warps = snapshot.warps;
  for (Warp& warp : block.warps)
    warp.bank[0] = reinterpret_cast<std::byte*>(warp.storage.data() + warp.registers);
  block.shared = snapshot.shared;
  block.local = snapshot.local;
  block.copied = snapshot.copied;
  block.clock = snapshot.clock;
  std::ranges::copy(snapshot.barriers, block.barriers_);
  run_->turn_end = snapshot.turn_end;
  run_->state.stop = false;
  std::size_t at = 0;
  for (const Run::Written& part : run_->written) {
    const bool kept = at < snapshot.global.size();
    std::memcpy(part.memory, kept ? snapshot.global.data() + at : part.before.data(), part.bytes);
    at += part.bytes;
  }
}

Warp* Stepper::next() {
  Block& block = run_->block;
  bool released = false;
  while (!run_->state.stop) {
    for (std::size_t tries = 0; tries <= block.warps.size(); ++tries) {
      Warp& warp = block.warps[block.turn_];
      if (run_->turn_end == 0) run_->turn_end = warp.executed + turn_length;
      while (!warp.done && warp.pc == warp.reconverge)
        block.resume(warp);
      if (!warp.done && warp.barrier == none && warp.executed < run_->turn_end) return &warp;
      block.turn_ = block.turn_ + 1 == block.warps.size() ? 0 : block.turn_ + 1;
      run_->turn_end = 0;
    }
    if (released || !block.release_barriers()) return nullptr;
    released = true;
  }
  return nullptr;
}

WarpStep Stepper::look(std::uint32_t warp, std::uint64_t number) {
  const std::uint64_t position = traces_[warp][number].position;
  const auto before = std::prev(std::ranges::upper_bound(snapshots_, position, {}, &Snapshot::executed));
  const std::uint64_t& executed = run_->block.executed;
  if (executed > position || executed < (*before)->executed) go_back_to(**before);
  replayed_ = position - executed;
  Warp* at = next();
  while (at != nullptr && executed < position) {
    run_->block.step(*at);
    at = next();
  }
  WarpStep seen{.number = number,
                .function = traces_[warp][number].function,
                .place = {},
                .text = {},
                .values = {},
                .memory = {}};
  seen.instruction = traces_[warp][number].instruction;
  if (at == nullptr) return seen;
  const Code& code = *at->code;
  const Operation& op = code.operations[at->pc];
  seen.active = at->active;
  seen.executes = executing_lanes(*at, op);
  seen.live = at->live;
  seen.present = at->present;
  if (at->pc >= code.function->instructions.size()) {
    seen.text = "return";
    return seen;
  }
  const Module& module = launch_->module();
  const Instruction& instruction = code.function->instructions[at->pc];
  seen.place = module.locations[instruction.location];
  seen.text = text_of(module, *code.function, instruction);
  for_each_register(module, *code.function, instruction, [&](std::uint32_t index, bool result) {
    if (!result) seen.values.push_back(values_of(*at, index, false));
  });
  seen.memory = addresses_of(*at, op, module.names[instruction.name], seen.executes);
  run_->block.step(*at);
  if (at->code != &code) return seen;  // It has called a function or has returned from one.
  for_each_register(module, *code.function, instruction, [&](std::uint32_t index, bool result) {
    if (result) seen.values.push_back(values_of(*at, index, true));
  });
  return seen;
}

}  // namespace threadscape::warp
