// Loads of neighbouring words of shared memory, which the assembler of the driver makes one wide load of where it can
// see that their address is aligned. They count as one request of 8 or 16 bytes.

#include <algorithm>
#include <bit>
#include <map>

#include "compute/warp/code.h"

namespace threadscape::warp {
namespace {

class Merge {
 public:
  Merge(Code& code, const Module& module) : code_(code), function_(*code.function), module_(module) {
    definitions_.assign(function_.registers.size(), none);
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      const Instruction& from = function_.instructions[i];
      if (from.operand_count == 0) continue;
      const Operand& first = function_.operands[from.operands];
      // A list of results has several definitions, of which nothing is known.
      if (first.kind == Operand::Kind::List)
        for (std::uint32_t k = 0; k < first.count; ++k)
          if (const Operand& one = function_.operands[first.index + k]; one.kind == Operand::Kind::Register)
            definitions_[one.index] = several;
      if (first.kind != Operand::Kind::Register) continue;
      std::uint32_t& definition = definitions_[first.index];
      definition = definition == none ? i : several;
    }
  }

  void run() {
    std::vector<bool> leader(function_.instructions.size() + 1);
    for (const std::uint32_t label : function_.labels)
      leader[label] = true;
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      const Operation& op = code_.operations[i];
      if (leader[i] || ends_group(i)) flush();
      const Instruction& from = function_.instructions[i];
      if (base_of(i) == "ld" && op.space == Space::Shared && (op.bytes == 4 || op.bytes == 8) && op.elements == 1 &&
          op.mode == 0 && op.guard == none && (op.s[0] != none || !op.framed))
        groups_[op.s[0] == none ? no_register : function_.operands[from.operands + 1].index][op.bytes]
               [static_cast<std::int64_t>(op.immediate)] = i;
      // A new value of a register ends the loads that it is the address of.
      if (from.operand_count > 0)
        if (const Operand& to = function_.operands[from.operands]; to.kind == Operand::Kind::Register) flush(to.index);
    }
    flush();
  }

 private:
  static constexpr std::uint32_t several = none - 1;
  /// Stands for the register of loads from a variable, whose addresses are known.
  static constexpr std::uint32_t no_register = none;

  [[nodiscard]] std::string_view base_of(std::uint32_t i) const {
    const std::string_view name = module_.names[function_.instructions[i].name];
    return name.substr(0, name.find('.'));
  }
  [[nodiscard]] bool ends_group(std::uint32_t i) const {
    const std::string_view base = base_of(i);
    const Space space = code_.operations[i].space;
    if (base == "st" || base == "atom" || base == "red") return space == Space::Shared || space == Space::Generic;
    return code_.operations[i].flow != Flow::Next || base == "membar" || base == "fence" || base == "cp";
  }

  /// How many of the lowest bits of an operand are 0 for certain.
  [[nodiscard]] int zero_bits(const Operand& operand, int depth) const {
    if (operand.kind == Operand::Kind::Immediate) return operand.value == 0 ? 64 : std::countr_zero(operand.value);
    if (operand.kind != Operand::Kind::Register || depth > 8) return 0;
    const std::uint32_t at = definitions_[operand.index];
    if (at >= several) return 0;
    const Instruction& from = function_.instructions[at];
    if (from.guard >= 0) return 0;
    const std::string_view base = base_of(at);
    const auto source = [&](std::uint32_t k) -> const Operand& { return function_.operands[from.operands + k]; };
    const auto bits = [&](std::uint32_t k) { return zero_bits(source(k), depth + 1); };
    if (base == "mov" && from.operand_count == 2) {
      const Operand::Kind kind = source(1).kind;
      const Operation& op = code_.operations[at];
      const bool address = kind == Operand::Kind::Variable ||
                           (kind == Operand::Kind::Symbol && module_.names[source(1).index][0] != '%');
      if (address && !op.framed) return op.immediate == 0 ? 64 : std::countr_zero(op.immediate);
      return bits(1);
    }
    if (base == "cvt" && from.operand_count == 2) return bits(1);
    if (base == "shl" && from.operand_count == 3 && source(2).kind == Operand::Kind::Immediate)
      return bits(1) + static_cast<int>(std::min<std::uint64_t>(source(2).value, 64));
    if ((base == "add" || base == "sub" || base == "or") && from.operand_count == 3) return std::min(bits(1), bits(2));
    if (base == "and" && from.operand_count == 3) return std::max(bits(1), bits(2));
    if (base == "mul" && from.operand_count == 3) return bits(1) + bits(2);
    if (base == "mad" && from.operand_count == 4) return std::min(bits(1) + bits(2), bits(3));
    return 0;
  }

  void flush(std::uint32_t reg) {
    const auto found = groups_.find(reg);
    if (found == groups_.end()) return;
    for (const auto& [bytes, loads] : found->second)
      combine(reg, bytes, loads);
    groups_.erase(found);
  }
  void flush() {
    for (const auto& [reg, of_register] : groups_)
      for (const auto& [bytes, loads] : of_register)
        combine(reg, bytes, loads);
    groups_.clear();
  }

  /// The loads of one address, by their offsets.
  using Loads = std::map<std::int64_t, std::uint32_t>;

  /// Combines loads of so many bytes with one base register.
  void combine(std::uint32_t reg, int bytes, const Loads& loads) {
    const int bits = reg == no_register ? 64 : zero_bits({.kind = Operand::Kind::Register, .index = reg}, 0);
    for (const int wide : {16, 8}) {
      if (wide <= bytes || bits < (wide == 16 ? 4 : 3)) continue;
      for (const auto& [offset, at] : loads) {
        if ((offset & (wide - 1)) != 0) continue;
        std::vector<std::uint32_t> members;
        for (int k = 0; k < wide; k += bytes)
          if (const auto found = loads.find(offset + k);
              found != loads.end() && code_.operations[found->second].counted_bytes == bytes)
            members.push_back(found->second);
        if (members.size() != static_cast<std::size_t>(wide / bytes)) continue;
        for (const std::uint32_t member : members) {
          code_.operations[member].counted_bytes = 0;
          code_.operations[member].weight = 0;
        }
        // The first in the order of addresses counts for all, because its addresses are those of the wide load.
        code_.operations[members[0]].counted_bytes = static_cast<std::uint8_t>(wide);
        code_.operations[members[0]].weight = 1;
      }
    }
  }

  Code& code_;
  const Function& function_;
  const Module& module_;
  std::vector<std::uint32_t> definitions_;
  std::map<std::uint32_t, std::map<int, Loads>> groups_;  ///< By register and bytes.
};

}  // namespace

void merge_loads(Code& code, const Module& module) {
  Merge(code, module).run();
}

}  // namespace threadscape::warp
