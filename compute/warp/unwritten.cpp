// Reads of registers that nothing has written. What each path from the beginning of a function writes is found when it
// is decoded; only registers that some path leaves out are watched while a kernel runs.

#include <algorithm>
#include <bit>
#include <string>

#include "compute/warp/control_flow.h"
#include "compute/warp/state.h"

namespace threadscape::warp {
namespace {

/// The registers of an instruction.
struct Registers {
  std::vector<std::uint32_t> used;    ///< By a branch, an address, or a write that others see.
  std::vector<std::uint32_t> passed;  ///< Others that are read, whose lack of a value passes to the results.
  std::vector<std::uint32_t> written;
};

class Unwritten {
 public:
  Unwritten(Code& code, const Module& module) : code_(code), function_(*code.function), module_(module) {}

  void run() {
    const Graph graph = graph_of(code_);
    const std::size_t blocks = graph.first.size() - 1, words = (function_.registers.size() + 63) / 64;
    constexpr std::size_t most = std::size_t{1} << 22;
    int rounds = 64;  // Loops in loops take a few.
    if (words == 0 || blocks * words > most) return;
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i)
      registers_.push_back(registers_of(i));
    // The registers that all paths to the beginning of a block have written, from all of them downwards.
    std::vector<Set> at(blocks, Set(words, ~std::uint64_t{0}));
    at[0].assign(words, 0);
    for (bool changed = true; changed;) {
      if (rounds-- == 0) return;
      changed = false;
      for (std::size_t block = 0; block < blocks; ++block) {
        const Set out = after(graph, block, at[block]);
        for (const std::uint32_t next : graph.next[block]) {
          if (next >= blocks) continue;
          for (std::size_t word = 0; word < words; ++word) {
            const std::uint64_t both = at[next][word] & out[word];
            changed |= both != at[next][word];
            at[next][word] = both;
          }
        }
      }
    }
    for (std::size_t block = 0; block < blocks; ++block)
      find_reads(graph, block, at[block]);
    watch();
  }

 private:
  using Set = std::vector<std::uint64_t>;
  static bool has(const Set& set, std::uint32_t reg) { return (set[reg / 64] >> (reg % 64) & 1) != 0; }

  [[nodiscard]] Registers registers_of(std::uint32_t number) const {
    const Instruction& from = function_.instructions[number];
    const Spec spec = spec_of(module_.names[from.name]);
    Registers result;
    const bool writes = !writes_no_register(spec);
    const Space space = code_.operations[number].space;
    const bool own_memory = space == Space::Shared || space == Space::Local || space == Space::Param;
    const bool stores = spec.base == "st" || spec.base == "red" || spec.base == "atom";
    const bool uses = (stores && !own_memory) || spec.base == "brx" || spec.base.starts_with("bar");
    // What lanes exchange, and what goes to memory of threads and blocks, is not followed.
    constexpr std::string_view not_followed[] = {"shfl", "vote", "match", "redux", "elect", "mma", "ldmatrix"};
    const bool drops = (stores && own_memory) || std::ranges::find(not_followed, spec.base) != std::end(not_followed);
    const auto add = [&](const Operand& operand, bool written) {
      if (operand.kind == Operand::Kind::Address && operand.base == Operand::Kind::Register) {
        result.used.push_back(operand.index);
      } else if (operand.kind == Operand::Kind::Register && written) {
        result.written.push_back(operand.index);
      } else if (operand.kind == Operand::Kind::Register && !drops) {
        (uses ? result.used : result.passed).push_back(operand.index);
      }
    };
    if (from.guard >= 0) result.used.push_back(static_cast<std::uint32_t>(from.guard));
    for (std::uint32_t k = 0; k < from.operand_count; ++k) {
      const Operand& operand = function_.operands[from.operands + k];
      const bool written = writes && (k == 0 || (k == 1 && operand.joined));
      if (operand.kind != Operand::Kind::List) add(operand, written);
      for (std::uint32_t j = 0; operand.kind == Operand::Kind::List && j < operand.count; ++j)
        add(function_.operands[operand.index + j], written);
    }
    return result;
  }

  /// What is written behind an instruction, if `set` is before it.
  void pass(std::uint32_t number, Set& set) const {
    const Registers& registers = registers_[number];
    const bool defined = std::ranges::all_of(registers.passed, [&](std::uint32_t reg) { return has(set, reg); });
    for (const std::uint32_t reg : registers.written) {
      const std::uint64_t bit = std::uint64_t{1} << (reg % 64);
      if (!defined) {
        set[reg / 64] &= ~bit;
      } else if (function_.instructions[number].guard < 0) {
        set[reg / 64] |= bit;  // A guarded instruction writes for some lanes alone.
      }
    }
  }
  [[nodiscard]] Set after(const Graph& graph, std::size_t block, Set set) const {
    for (std::uint32_t i = graph.first[block]; i < graph.first[block + 1] && i < registers_.size(); ++i)
      pass(i, set);
    return set;
  }
  void find_reads(const Graph& graph, std::size_t block, Set set) {
    for (std::uint32_t i = graph.first[block]; i < graph.first[block + 1] && i < registers_.size(); ++i) {
      for (const std::vector<std::uint32_t>* const list : {&registers_[i].used, &registers_[i].passed})
        for (const std::uint32_t reg : *list)
          if (!has(set, reg)) found_.emplace_back(i, reg);
      pass(i, set);
    }
  }

  /// Gives each register that may be read without a value a mask of the lanes that have one.
  void watch() {
    std::vector<std::uint32_t> place(function_.registers.size(), none);
    std::vector<bool> reads(registers_.size());
    for (const auto& [number, reg] : found_) {
      reads[number] = true;
      if (place[reg] != none) continue;
      place[reg] = code_.register_bytes + code_.watched_bytes;
      code_.watched_bytes += 4;
    }
    if (code_.watched_bytes == 0) return;
    for (std::uint32_t i = 0; i < registers_.size(); ++i) {
      Code::Watch watch;
      for (const std::uint32_t reg : registers_[i].written)
        if (place[reg] != none) watch.written.push_back(place[reg]);
      if (reads[i]) {
        for (const std::uint32_t reg : registers_[i].used)
          if (place[reg] != none) watch.used.push_back({place[reg], reg});
        for (const std::uint32_t reg : registers_[i].passed)
          if (place[reg] != none) watch.passed.push_back(place[reg]);
      }
      if (watch.written.empty() && watch.used.empty()) continue;
      find_selection(i, place, watch);
      code_.operations[i].watched = true;
      code_.watches.emplace(i, std::move(watch));
    }
    code_.watched_bytes = (code_.watched_bytes + 63) / 64 * 64;
    code_.register_bytes += code_.watched_bytes;
  }
  void find_selection(std::uint32_t number, const std::vector<std::uint32_t>& place, Code::Watch& watch) const {
    const Instruction& from = function_.instructions[number];
    if (!module_.names[from.name].starts_with("selp.") || from.operand_count != 4) return;
    const auto of = [&](std::uint32_t k) {
      const Operand& operand = function_.operands[from.operands + k];
      return operand.kind == Operand::Kind::Register ? place[operand.index] : none;
    };
    watch.selects = true;
    watch.selected = of(1);
    watch.other = of(2);
    watch.passed.clear();
    if (of(3) != none) watch.passed.push_back(of(3));
  }

  Code& code_;
  const Function& function_;
  const Module& module_;
  std::vector<Registers> registers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found_;  ///< Instructions and the registers that they read.
};

}  // namespace

void find_unwritten(Code& code, const Module& module) {
  Unwritten(code, module).run();
}

void Block::check_registers(Warp& warp, const Operation& op, std::uint32_t mask) {
  const auto number = static_cast<std::uint32_t>(&op - warp.code->operations.data());
  const Code::Watch& watch = warp.code->watches.at(number);
  const Function& function = *warp.code->function;
  for (const auto& [place, reg] : watch.used) {
    // All lanes read the guard.
    const bool guard = function.instructions[number].guard == static_cast<std::int32_t>(reg);
    const std::uint32_t missing = (guard ? warp.active : mask) & ~warp.mask(place);
    for (std::uint32_t left = missing; left != 0; left &= left - 1)
      fault(Fault::Kind::Uninitialised, warp, op, std::countr_zero(left), 0,
            "the value of the register " + function.registers[reg].name +
                " is used, which comes from a register that nothing has written");
    warp.mask(place) |= missing;  // One fault is enough.
  }
  std::uint32_t defined = all_lanes;
  for (const std::uint32_t place : watch.passed)
    defined &= warp.mask(place);
  if (watch.selects) {
    const std::uint32_t which = warp.predicate(op, 2);
    if (watch.selected != none) defined &= ~which | warp.mask(watch.selected);
    if (watch.other != none) defined &= which | warp.mask(watch.other);
  }
  for (const std::uint32_t place : watch.written)
    warp.mask(place) = (warp.mask(place) & ~mask) | (mask & defined);
}

}  // namespace threadscape::warp
