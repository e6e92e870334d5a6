// An estimate of the machine instructions (SASS) that an instruction of PTX becomes. The assembler of the driver folds
// addresses, shifts and additions into others, takes arguments from the bank of constants, and makes several
// instructions of one that the hardware has not. The rules are those that account for the counts of instructions that
// Nsight Compute reads on an H100.

#include <algorithm>
#include <array>

#include "compute/warp/code.h"

namespace threadscape::warp {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Estimate {
 public:
  Estimate(Code& code, const Module& module) : code_(code), function_(*code.function), module_(module) {
    specs_.reserve(function_.instructions.size());
    for (const Instruction& instruction : function_.instructions)
      specs_.push_back(spec_of(module.names[instruction.name]));
    find_uses();
  }

  void run() {
    for (std::uint32_t i = 0; i < specs_.size(); ++i)
      code_.operations[i].weight = static_cast<std::uint8_t>(weight(i));
    code_.operations.back().weight = 0;
    // A kernel begins with the pointer of its stack and the descriptor of global memory.
    if (function_.entry && !specs_.empty()) code_.operations[0].weight += 2;
  }

 private:
  struct Uses {
    std::uint32_t definition = none;  ///< The instruction that writes the register; `none` for several.
    bool several = false;
    std::vector<std::uint32_t> by;  ///< The instructions that read it.
  };

  void find_uses() {
    uses_.resize(function_.registers.size());
    for (std::uint32_t i = 0; i < specs_.size(); ++i) {
      const Instruction& from = function_.instructions[i];
      if (from.guard >= 0) uses_[static_cast<std::size_t>(from.guard)].by.push_back(i);
      for (std::uint32_t k = 0; k < from.operand_count; ++k) {
        const Operand& operand = function_.operands[from.operands + k];
        const bool address = operand.kind == Operand::Kind::Address && operand.base == Operand::Kind::Register;
        if (operand.kind == Operand::Kind::Register && k == 0 && specs_[i].base != "red") {
          Uses& uses = uses_[operand.index];
          uses.several |= uses.definition != none;
          uses.definition = i;
        } else if (operand.kind == Operand::Kind::Register || address) {
          uses_[operand.index].by.push_back(i);
        } else if (operand.kind == Operand::Kind::List) {
          for (std::uint32_t j = 0; j < operand.count; ++j)
            if (const Operand& one = function_.operands[operand.index + j]; one.kind == Operand::Kind::Register)
              uses_[one.index].by.push_back(i);
        }
      }
    }
  }

  [[nodiscard]] const Operand& operand(std::uint32_t i, std::uint32_t k) const {
    return function_.operands[function_.instructions[i].operands + k];
  }
  /// The register that an instruction writes; null if there is none, or if others write it too.
  [[nodiscard]] const Uses* result(std::uint32_t i) const {
    if (function_.instructions[i].operand_count == 0 || operand(i, 0).kind != Operand::Kind::Register) return nullptr;
    const Uses& uses = uses_[operand(i, 0).index];
    return uses.several || uses.definition != i ? nullptr : &uses;
  }
  /// True if all instructions that read the result are of these operations, of 8 or 4 bytes.
  [[nodiscard]] bool only_for(std::uint32_t i, std::initializer_list<std::string_view> bases, int bytes) const {
    const Uses* const uses = result(i);
    if (uses == nullptr || uses->by.empty()) return false;
    return std::all_of(uses->by.begin(), uses->by.end(), [&](std::uint32_t by) {
      return is_one_of(specs_[by].base, bases) && bytes_of(specs_[by].type()) == bytes &&
             function_.instructions[by].guard < 0;
    });
  }
  /// True if a source of an instruction is the result of one of these operations.
  [[nodiscard]] bool takes(std::uint32_t i, std::initializer_list<std::string_view> bases) const {
    for (std::uint32_t k = 1; k < function_.instructions[i].operand_count; ++k) {
      const Operand& source = operand(i, k);
      if (source.kind != Operand::Kind::Register) continue;
      const Uses& uses = uses_[source.index];
      if (!uses.several && uses.definition != none && is_one_of(specs_[uses.definition].base, bases)) return true;
    }
    return false;
  }
  [[nodiscard]] bool has_literal(std::uint32_t i) const {
    for (std::uint32_t k = 1; k < function_.instructions[i].operand_count; ++k)
      if (operand(i, k).kind == Operand::Kind::Immediate) return true;
    return false;
  }

  [[nodiscard]] int weight(std::uint32_t i) const {
    const Spec& spec = specs_[i];
    const std::string_view base = spec.base;
    const Type type = spec.type();
    const bool number = type == Type::F32 || type == Type::F64;
    if (base == "ld" && code_.operations[i].space == Space::Param)
      return bytes_of(spec.last_type()) == 8 && function_.entry ? 1 : 0;
    if (is_one_of(base, {"cvta", "griddepcontrol", "prefetch", "pmevent"})) return 0;
    if (base == "mov") return move_weight(i);
    if (type == Type::Pred) return 0;  // Comparisons combine predicates.
    if (base == "cvt") return conversion_weight(spec);
    if (is_one_of(base, {"div", "rem"}) && !number) return bytes_of(type) == 8 ? 70 : has_literal(i) ? 5 : 20;
    if (base == "div") return type == Type::F64 ? 25 : spec.has("rn") ? 10 : 5;
    if (is_one_of(base, {"rcp", "sqrt", "rsqrt"}))
      return type == Type::F64 ? 20 : spec.has("approx") ? (spec.has("ftz") ? 1 : 3) : 8;
    if (is_one_of(base, {"ex2", "lg2", "sin", "cos"})) return spec.has("ftz") ? 1 : 3;
    if (base == "call" || base == "membar" || base == "fence") return 2;
    return number ? 1 : integer_weight(i);
  }
  [[nodiscard]] int move_weight(std::uint32_t i) const {
    const Operand& source = operand(i, 1);
    if (source.kind == Operand::Kind::Immediate) return 1;
    return source.kind == Operand::Kind::Symbol && module_.names[source.index][0] == '%' ? 1 : 0;
  }
  [[nodiscard]] static int conversion_weight(const Spec& spec) {
    const auto is_integer = [](Type type) { return type >= Type::B8 && type <= Type::S64; };
    // Registers have 32 bits: shorter ones are as good as extended.
    return spec.types.size() > 1 && is_integer(spec.types[0]) && is_integer(spec.types[1]) && !spec.has("sat") ? 0 : 1;
  }
  [[nodiscard]] int integer_weight(std::uint32_t i) const {
    const Spec& spec = specs_[i];
    const std::string_view base = spec.base;
    const bool wide = bytes_of(spec.type()) == 8;
    if (base == "mul" && spec.has("wide") && only_for(i, {"add"}, 8)) return 0;
    if (base == "add" && wide) return takes(i, {"mul", "shl"}) ? 1 : 2;
    if (base == "shl" && has_literal(i) && only_for(i, {"add", "sub"}, wide ? 8 : 4)) return 0;
    if (is_one_of(base, {"and", "or", "xor", "not"}) && !wide && one_use(i, {"and", "or", "xor"}) &&
        !takes(i, {"and", "or", "xor", "not"}))
      return 0;
    if (base == "add" && one_use(i, {"add"}) && !takes(i, {"add", "shl"})) return 0;
    if (base == "mul" && wide && !spec.has("wide")) return 4;
    const bool memory = is_one_of(base, {"ld", "st", "atom", "red"});
    return wide && !memory && base != "mad" ? 2 : 1;
  }
  [[nodiscard]] bool one_use(std::uint32_t i, std::initializer_list<std::string_view> bases) const {
    const Uses* const uses = result(i);
    return uses != nullptr && uses->by.size() == 1 && only_for(i, bases, 4);
  }

  Code& code_;
  const Function& function_;
  const Module& module_;
  std::vector<Spec> specs_;
  std::vector<Uses> uses_;
};

}  // namespace

void estimate_weights(Code& code, const Module& module) {
  Estimate(code, module).run();
}

}  // namespace threadscape::warp
