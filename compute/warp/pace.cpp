#include "compute/warp/pace.h"

#include <algorithm>
#include <string_view>

#include "compute/warp/code.h"

namespace threadscape::warp {

namespace {

// Cycles on Hopper, where they do not depend on the operands: of dependent instructions, of loads of shared memory and
// what passes through the same unit, and of products of matrices (arXiv:2402.13499); of doubles and of special
// functions, twice and four times the rate of which is theirs.
constexpr std::uint16_t dependent_cycles = 4, double_cycles = 8, special_cycles = 18, shared_cycles = 29,
                        exchange_cycles = 24, matrix_cycles = 33;
/// From the last warp's arrival at a barrier, or from a branch, to the next instruction.
constexpr std::uint64_t barrier_cycles = 20, branch_cycles = 8;

bool any_of_names(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

void wait(Cycles& time, const Cycles& until) {
  for (std::size_t i = 0; i < load_sources; ++i)
    time[i] = std::max(time[i], until[i]);
}

Cycles later(const Cycles& time, std::uint64_t cycles) {
  return {time[0] + cycles, time[1] + cycles, time[2] + cycles};
}

/// The kind of an instruction and its delay. `weight` counts its machine instructions, which depend on each other.
void classify(const Spec& spec, PaceStep& step) {
  using Kind = PaceStep::Kind;
  const std::string_view base = spec.base;
  const bool shared = spec.has("shared") || spec.has("shared::cta");
  if (any_of_names(base, {"ld", "ldu", "tex", "atom"})) {
    if (spec.has("param") || spec.has("param::entry") || spec.has("const")) return;
    step.kind = shared ? Kind::computes : Kind::loads;
    step.delay = shared ? shared_cycles : 0;
  } else if (base == "st" && shared) {
    step.kind = Kind::stores_shared;
  } else if (base == "cp") {
    step.kind = spec.has("wait_group") || spec.has("wait_all") ? Kind::waits_for_copies
                : spec.has("commit_group")                     ? Kind::computes
                                                               : Kind::copies;
  } else if (any_of_names(base, {"shfl", "vote", "match", "redux", "elect", "movmatrix"})) {
    step.delay = exchange_cycles;
  } else if (base == "ldmatrix" || base == "mma" || base == "wmma") {
    step.delay = matrix_cycles;
  } else if (any_of_names(base, {"rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "popc", "clz", "bfind"})) {
    step.delay = static_cast<std::uint16_t>(special_cycles + dependent_cycles * std::max(0, step.weight - 1));
  } else {
    const int one = spec.type() == Type::F64 ? double_cycles : dependent_cycles;
    step.delay = static_cast<std::uint16_t>(one * step.weight);
  }
}

}  // namespace

void find_pace(Code& decoded, const Module& module) {
  const Function& function = *decoded.function;
  PaceCode& code = decoded.pace;
  code.steps.reserve(function.instructions.size());
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& from = function.instructions[i];
    const Spec spec = spec_of(module.names[from.name]);
    PaceStep& step = code.steps.emplace_back();
    step.weight = decoded.operations[i].weight;
    classify(spec, step);
    step.first = static_cast<std::uint32_t>(code.registers.size());
    const bool stores = writes_no_register(spec);
    for (const bool written : {false, true}) {
      const std::size_t before = code.registers.size();
      if (!written && from.guard >= 0) code.registers.push_back(static_cast<std::uint32_t>(from.guard));
      for (std::uint32_t k = 0; k < from.operand_count; ++k) {
        const Operand& operand = function.operands[from.operands + k];
        const bool result = !stores && (k == 0 || (k == 1 && operand.joined));
        if (operand.base == Operand::Kind::Register && operand.kind == Operand::Kind::Address && !written)
          code.registers.push_back(operand.index);
        if (result != written) continue;
        if (operand.kind == Operand::Kind::Register) code.registers.push_back(operand.index);
        for (std::uint32_t j = 0; operand.kind == Operand::Kind::List && j < operand.count; ++j)
          if (const Operand& one = function.operands[operand.index + j]; one.kind == Operand::Kind::Register)
            code.registers.push_back(one.index);
      }
      (written ? step.writes : step.reads) = static_cast<std::uint16_t>(code.registers.size() - before);
    }
  }
}

void BlockPace::begin(std::size_t warps) {
  warps_.resize(warps);
  for (WarpPace& warp : warps_) {
    std::vector<std::vector<Cycles>> ready = std::move(warp.ready);
    for (std::vector<Cycles>& registers : ready)
      std::ranges::fill(registers, Cycles{});
    warp = WarpPace{};
    warp.ready = std::move(ready);
  }
}

void BlockPace::issue(std::uint32_t warp, const PaceCode& code, std::uint32_t number, std::size_t depth) {
  if (number >= code.steps.size()) return;
  const PaceStep& step = code.steps[number];
  WarpPace& pace = warps_[warp];
  if (pace.ready.size() <= depth) pace.ready.resize(depth + 1);
  std::vector<Cycles>& ready = pace.ready[depth];
  const auto value = [&ready](std::uint32_t reg) -> Cycles& {
    if (ready.size() <= reg) ready.resize(reg + 1);
    return ready[reg];
  };
  Cycles time = later(pace.begin, pace.issued);
  const std::uint32_t* const registers = code.registers.data() + step.first;
  for (std::uint32_t i = 0; i < step.reads; ++i)
    wait(time, value(registers[i]));
  if (step.kind == PaceStep::Kind::waits_for_copies) {
    wait(time, pace.copied);
    wait(pace.begin, pace.copied);
  }
  wait(pace.latest, time);
  pace.issued += step.weight;
  Cycles done = later(time, step.delay);
  if (step.kind == PaceStep::Kind::loads || step.kind == PaceStep::Kind::copies)
    for (std::size_t i = 0; i < load_sources; ++i)
      done[i] = time[i] + load_cycles[i];
  if (step.kind == PaceStep::Kind::copies) wait(pace.copied, done);
  if (step.kind == PaceStep::Kind::stores_shared) wait(pace.stored, later(time, shared_cycles));
  for (std::uint32_t i = 0; i < step.writes; ++i)
    value(registers[step.reads + i]) = done;
}

void BlockPace::end_basic_block(std::uint32_t warp) {
  WarpPace& pace = warps_[warp];
  wait(pace.latest, later(pace.begin, pace.issued));
  pace.begin = later(pace.latest, branch_cycles);
  pace.issued = 0;
}

void BlockPace::arrive(std::uint32_t warp) {
  WarpPace& pace = warps_[warp];
  wait(pace.latest, later(pace.begin, pace.issued));
  wait(pace.latest, pace.stored);
  pace.begin = pace.latest;
  pace.issued = 0;
}

void BlockPace::release(const std::vector<std::uint32_t>& warps) {
  Cycles last{};
  for (const std::uint32_t warp : warps)
    wait(last, warps_[warp].begin);
  for (const std::uint32_t warp : warps)
    wait(warps_[warp].begin, later(last, barrier_cycles));
}

Cycles BlockPace::end() const {
  Cycles last{};
  for (const WarpPace& warp : warps_) {
    wait(last, warp.latest);
    wait(last, later(warp.begin, warp.issued));
  }
  return last;
}

}  // namespace threadscape::warp
