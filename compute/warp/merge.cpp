// Loads or stores of neighbouring words of shared memory, which the assembler of the driver makes one wide access of
// where it can see that their address is aligned. They count as one request of 8 or 16 bytes.

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
      const std::string_view base = base_of(i);
      const bool reads = base == "ld", writes = base == "st";
      const bool shared = op.space == Space::Shared || op.space == Space::Generic;
      if (leader[i] || orders(i)) flush();
      if (writes && shared) loads_.clear(*this);
      const Instruction& from = function_.instructions[i];
      const bool plain = op.space == Space::Shared && (op.bytes == 4 || op.bytes == 8) && op.elements == 1 &&
                         op.mode == 0 && op.guard == none && (op.s[0] != none || !op.framed);
      if ((reads || writes) && plain) {
        const std::uint32_t place = from.operands + (reads ? 1 : 0);
        const std::uint32_t reg = op.s[0] == none ? no_register : function_.operands[place].index;
        const auto offset = static_cast<std::int64_t>(op.immediate);
        // Stores with another address may write to the same place, and so may a load read what a store wrote.
        if (writes && !stores_.has_only(reg, op.bytes, offset)) stores_.clear(*this);
        if (reads) stores_.clear(*this);
        (reads ? loads_ : stores_).groups[reg][op.bytes][offset] = i;
      } else if ((reads || writes) && shared) {
        stores_.clear(*this);
      }
      // A new value of a register ends the accesses that it is the address of.
      if (from.operand_count > 0)
        if (const Operand& to = function_.operands[from.operands]; to.kind == Operand::Kind::Register) {
          loads_.clear(*this, to.index);
          stores_.clear(*this, to.index);
        }
    }
    flush();
  }

 private:
  static constexpr std::uint32_t several = none - 1;
  /// Stands for the register of accesses to a variable, whose addresses are known.
  static constexpr std::uint32_t no_register = none;

  [[nodiscard]] std::string_view base_of(std::uint32_t i) const {
    const std::string_view name = module_.names[function_.instructions[i].name];
    return name.substr(0, name.find('.'));
  }
  /// True for what no access is moved across.
  [[nodiscard]] bool orders(std::uint32_t i) const {
    const std::string_view base = base_of(i);
    const Space space = code_.operations[i].space;
    if (base == "atom" || base == "red") return space == Space::Shared || space == Space::Generic;
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

  /// The accesses of one address, by their offsets.
  using Accesses = std::map<std::int64_t, std::uint32_t>;

  /// Loads or stores that may become wide ones, by register and bytes.
  struct Kept {
    std::map<std::uint32_t, std::map<int, Accesses>> groups;

    void clear(Merge& merge, std::uint32_t reg) {
      const auto found = groups.find(reg);
      if (found == groups.end()) return;
      for (const auto& [bytes, accesses] : found->second)
        merge.combine(reg, bytes, accesses);
      groups.erase(found);
    }
    void clear(Merge& merge) {
      while (!groups.empty())
        clear(merge, groups.begin()->first);
    }
    /// True if all have this register and size, and none this offset.
    [[nodiscard]] bool has_only(std::uint32_t reg, int bytes, std::int64_t offset) const {
      if (groups.empty()) return true;
      const auto& [known, of_register] = *groups.begin();
      const auto found = of_register.find(bytes);
      return known == reg && found != of_register.end() && !found->second.contains(offset);
    }
  };

  void flush() {
    loads_.clear(*this);
    stores_.clear(*this);
  }

  /// Combines accesses of so many bytes with one base register.
  void combine(std::uint32_t reg, int bytes, const Accesses& accesses) {
    const int bits = reg == no_register ? 64 : zero_bits({.kind = Operand::Kind::Register, .index = reg}, 0);
    for (const int wide : {16, 8}) {
      if (wide <= bytes || bits < (wide == 16 ? 4 : 3)) continue;
      for (const auto& [offset, at] : accesses) {
        if ((offset & (wide - 1)) != 0) continue;
        std::vector<std::uint32_t> members;
        for (int k = 0; k < wide; k += bytes)
          if (const auto found = accesses.find(offset + k);
              found != accesses.end() && code_.operations[found->second].counted_bytes == bytes)
            members.push_back(found->second);
        if (members.size() != static_cast<std::size_t>(wide / bytes)) continue;
        for (const std::uint32_t member : members) {
          code_.operations[member].counted_bytes = 0;
          code_.operations[member].weight = 0;
        }
        // The first in the order of addresses counts for all, because its addresses are those of the wide access.
        code_.operations[members[0]].counted_bytes = static_cast<std::uint8_t>(wide);
        code_.operations[members[0]].weight = 1;
      }
    }
  }

  Code& code_;
  const Function& function_;
  const Module& module_;
  std::vector<std::uint32_t> definitions_;
  Kept loads_, stores_;
};

}  // namespace

void merge_shared(Code& code, const Module& module) {
  Merge(code, module).run();
}

}  // namespace threadscape::warp
