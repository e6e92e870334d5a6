#include "compute/warp/ptx_flow.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace threadscape::warp {

std::vector<const Loop*> loops_around(const std::vector<Loop>& loops, std::uint32_t block) {
  std::vector<const Loop*> around;
  for (const Loop& loop : loops)
    if (loop.holds[block]) around.push_back(&loop);
  return around;
}

PtxFlow::PtxFlow(const Module& module, const Function& kernel, const LaunchResult& executed) : module_(module) {
  add(kernel, executed.instructions);
  for (const CalledFunction& called : executed.called)
    add(*called.function, called.instructions);
  const auto count = static_cast<std::uint32_t>(instructions_.size());
  std::vector<bool> begins(count + 1);
  for (const Part& part : parts_)
    begins[part.first] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t target : targets_of(i))
      begins[target] = begins[i + 1] = true;
    if (leaves(i)) begins[i + 1] = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (begins[i]) first_.push_back(i);
    block_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
  }
  Edges next(first_.size());
  before_.resize(first_.size());
  const auto connect = [&](std::uint32_t from, std::uint32_t to) {
    next[from].push_back(to);
    before_[to].push_back(from);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t target : targets_of(i))
      connect(block_[i], block_[target]);
    const bool falls = !leaves(i) || instructions_[i]->guard >= 0;
    const bool last = i + 1 == count || part_of(i + 1).first == i + 1;
    if (!last && block_[i + 1] != block_[i] && falls) connect(block_[i], block_[i + 1]);
  }
  for (const Part& part : parts_)
    std::ranges::move(natural_loops(next, before_, block_[part.first]), std::back_inserter(loops_));
}

std::vector<std::uint32_t> PtxFlow::targets_of(std::uint32_t i) const {
  const Instruction& instruction = *instructions_[i];
  const Part& part = part_of(i);
  std::vector<std::uint32_t> targets;
  for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
    const Operand& operand = part.function->operands[instruction.operands + k];
    if (specs_[i].base == "bra" && operand.kind == Operand::Kind::Label)
      targets.push_back(part.function->labels[operand.index]);
    if (specs_[i].base == "brx" && operand.kind == Operand::Kind::Symbol)
      for (const Function::Table& table : part.function->tables)
        if (table.name == module_.names[operand.index])
          targets.insert(targets.end(), table.labels.begin(), table.labels.end());
  }
  std::erase_if(targets, [&](std::uint32_t target) { return target >= part.function->instructions.size(); });
  for (std::uint32_t& target : targets)
    target += part.first;
  return targets;
}

bool PtxFlow::has_all_calls() const {
  for (std::uint32_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].base != "call") continue;
    const Part& part = part_of(i);
    bool found = false;
    for (std::uint32_t k = 0; k < instructions_[i]->operand_count; ++k)
      if (const Operand& operand = part.function->operands[instructions_[i]->operands + k];
          operand.kind == Operand::Kind::Symbol)
        found = std::ranges::any_of(parts_, [&](const Part& other) {
          return other.function->name == module_.names[operand.index] && !other.function->instructions.empty();
        });
    if (!found) return false;
  }
  return true;
}

bool PtxFlow::calls(std::uint32_t line) const {
  const auto i = of_line(line);
  return i && specs_[*i].base == "call";
}

bool PtxFlow::leaves(std::uint32_t i) const {
  const std::string_view base = specs_[i].base;
  return base == "bra" || base == "brx" || base == "ret" || base == "exit";
}

std::optional<std::uint32_t> PtxFlow::of_line(std::uint32_t line) const {
  const auto found = of_line_.find(line);
  return found == of_line_.end() ? std::nullopt : std::optional(found->second);
}

Visits PtxFlow::entries(const Loop& loop) const {
  Visits sum;
  for (const std::uint32_t from : before_[loop.head])
    if (!loop.holds[from]) {
      const std::uint32_t end = from + 1 < first_.size() ? first_[from + 1] : static_cast<std::uint32_t>(block_.size());
      sum.warps += visits(end - 1).warps;
      sum.threads += visits(end - 1).threads;
    }
  const Visits turns = visits(first_[loop.head]);
  return {std::min(sum.warps, turns.warps), std::min(sum.threads, turns.threads)};
}

bool PtxFlow::is_kept(std::uint32_t i) const {
  constexpr std::array<std::string_view, 11> memory{"ld",   "st",    "atom", "red", "bar",     "barrier",
                                                    "shfl", "match", "fma",  "tex", "ldmatrix"};
  constexpr std::array<std::string_view, 3> arithmetic{"add", "sub", "mul"};
  const Spec& spec = specs_[i];
  const bool number = spec.type() == Type::F32 || spec.type() == Type::F64;
  return std::ranges::find(memory, spec.base) != memory.end() ||
         (number && std::ranges::find(arithmetic, spec.base) != arithmetic.end());
}

std::int32_t PtxFlow::step(std::uint32_t i) const {
  const Instruction& instruction = *instructions_[i];
  if (specs_[i].base != "add" || instruction.operand_count != 3) return 0;
  const Operand* const operands = &part_of(i).function->operands[instruction.operands];
  const bool in_place = operands[0].kind == Operand::Kind::Register && operands[1].kind == Operand::Kind::Register &&
                        operands[0].index == operands[1].index && !operands[1].negated;
  if (!in_place || operands[2].kind != Operand::Kind::Immediate || operands[2].floating != 0) return 0;
  return static_cast<std::int32_t>(operands[2].value);
}

void PtxFlow::add(const Function& function, const std::vector<Counts>& executed) {
  parts_.push_back({&function, static_cast<std::uint32_t>(instructions_.size())});
  for (std::size_t k = 0; k < function.instructions.size(); ++k) {
    const Instruction& instruction = function.instructions[k];
    const auto number = static_cast<std::uint32_t>(instructions_.size());
    instructions_.push_back(&instruction);
    specs_.push_back(spec_of(module_.names[instruction.name]));
    // One that is kept stands for others of its line, as expanded products of matrices have them.
    if (const auto [known, first] = of_line_.try_emplace(instruction.ptx_line, number);
        !first && !is_kept(known->second) && is_kept(number))
      known->second = number;
    if (is_kept(number)) ++kept_on_line_[instruction.ptx_line];
    visits_.push_back(
        {static_cast<double>(executed[k].ptx_instructions), static_cast<double>(executed[k].thread_instructions)});
  }
}

const PtxFlow::Part& PtxFlow::part_of(std::uint32_t i) const {
  return *std::prev(std::ranges::upper_bound(parts_, i, {}, &Part::first));
}

}  // namespace threadscape::warp
