#include "compute/warp/ptx_flow.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace threadscape::warp {

std::vector<const Loop*> loops_around(const std::vector<Loop>& loops, std::uint32_t block) {
  std::vector<const Loop*> around;
  for (const Loop& loop : loops)
    if (loop.holds[block]) around.push_back(&loop);
  return around;
}

PtxFlow::PtxFlow(const Module& module, const Function& kernel, const std::vector<Counts>& executed)
    : module_(module), kernel_(kernel), executed_(executed), block_(kernel.instructions.size()) {
  const auto count = static_cast<std::uint32_t>(kernel.instructions.size());
  std::vector<bool> begins(count + 1);
  begins[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = kernel.instructions[i];
    specs_.push_back(spec_of(module.names[instruction.name]));
    of_line_.try_emplace(instruction.ptx_line, i);
    for (const std::uint32_t target : targets_of(i))
      begins[target] = begins[i + 1] = true;
    if (leaves(i)) begins[i + 1] = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (begins[i]) first_.push_back(i);
    block_[i] = static_cast<std::uint32_t>(first_.size() - 1);
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
    const bool falls = !leaves(i) || kernel.instructions[i].guard >= 0;
    if (i + 1 < count && block_[i + 1] != block_[i] && falls) connect(block_[i], block_[i + 1]);
  }
  loops_ = natural_loops(next, before_, 0);
}

std::vector<std::uint32_t> PtxFlow::targets_of(std::uint32_t i) const {
  const Instruction& instruction = kernel_.instructions[i];
  std::vector<std::uint32_t> targets;
  for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
    const Operand& operand = kernel_.operands[instruction.operands + k];
    if (specs_[i].base == "bra" && operand.kind == Operand::Kind::Label)
      targets.push_back(kernel_.labels[operand.index]);
    if (specs_[i].base == "brx" && operand.kind == Operand::Kind::Symbol)
      for (const Function::Table& table : kernel_.tables)
        if (table.name == module_.names[operand.index])
          targets.insert(targets.end(), table.labels.begin(), table.labels.end());
  }
  std::erase_if(targets, [&](std::uint32_t target) { return target >= kernel_.instructions.size(); });
  return targets;
}

bool PtxFlow::leaves(std::uint32_t i) const {
  const std::string_view base = specs_[i].base;
  return base == "bra" || base == "brx" || base == "ret" || base == "exit";
}

std::optional<std::uint32_t> PtxFlow::of_line(std::uint32_t line) const {
  const auto found = of_line_.find(line);
  return found == of_line_.end() ? std::nullopt : std::optional(found->second);
}

Visits PtxFlow::visits(std::uint32_t i) const {
  return {static_cast<double>(executed_[i].ptx_instructions), static_cast<double>(executed_[i].thread_instructions)};
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

}  // namespace threadscape::warp
