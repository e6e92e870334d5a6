#include "compute/warp/stepper.h"

#include <bit>

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

/// Where an instruction accesses memory that others see; nothing for other instructions.
std::optional<LaneAddresses> addresses_of(Warp& warp, const Operation& op, std::string_view name, std::uint32_t mask) {
  const Spec spec = spec_of(name);
  const bool loads = spec.base == "ld" || spec.base == "ldu", stores = spec.base == "st",
             updates = spec.base == "atom" || spec.base == "red";
  if ((!loads && !stores && !updates) || op.space == Space::Param || spec.has("param") || mask == 0) return {};
  LaneAddresses found;
  found.writes = !loads;
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
    found.wavefronts = wavefronts(found.at, found.mask, found.bytes);
  }
  return found;
}

}  // namespace

/// The state of the block between two instructions.
struct Stepper::Run {
  explicit Run(const LaunchRequest& request) : state(request), worker(state), block(worker) {}
  LaunchState state;
  Worker worker;
  Block block;
  std::uint64_t turn_end = 0;  ///< What the warp whose turn it is has executed when the turn ends.
};

Stepper::Stepper(std::shared_ptr<const KeptLaunch> launch, std::uint64_t block)
    : launch_(std::move(launch)), block_(block), again_(*launch_) {
  LaunchOptions& options = again_.request().options;
  options.uninitialised = false;
  options.blocks = {block_};
  begin();
  traces_.resize(run_->block.warps.size());
  while (Warp* const warp = next()) {
    if (run_->block.executed >= most_instructions) {
      stopped_ = "only the first " + std::to_string(most_instructions) + " instructions of the block are shown";
      break;
    }
    traces_[warp->number].push_back({warp->code->function, warp->pc});
    step(*warp);
  }
  if (stopped_.empty()) stopped_ = run_->state.stopped;
}

Stepper::~Stepper() = default;

void Stepper::begin() {
  again_.restore();
  run_ = std::make_unique<Run>(again_.request());
  run_->block.begin(block_);
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

void Stepper::step(Warp& warp) {
  run_->block.step(warp);
}

WarpStep Stepper::look(std::uint32_t warp, std::uint64_t number) {
  if (run_->block.warps[warp].executed > number) begin();
  Warp* at = next();
  while (at != nullptr && (at->number != warp || at->executed < number)) {
    step(*at);
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
  seen.active = seen.executes = at->active;
  seen.live = at->live;
  seen.present = at->present;
  if (op.guard != none) seen.executes &= op.guard_negated ? ~at->mask(op.guard) : at->mask(op.guard);
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
  step(*at);
  if (at->code != &code) return seen;  // It has called a function or has returned from one.
  for_each_register(module, *code.function, instruction, [&](std::uint32_t index, bool result) {
    if (result) seen.values.push_back(values_of(*at, index, true));
  });
  return seen;
}

}  // namespace threadscape::warp
