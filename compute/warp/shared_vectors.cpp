#include "compute/warp/shared_vectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace threadscape::warp {

namespace {

constexpr int most_zeros = 32;
constexpr std::uint32_t vector_bytes = 16;  // Of the longest vector.

/// How many of the lowest bits of each register are zero, whatever the kernel's arguments are.
class Alignments {
 public:
  Alignments(const Module& module, const Function& function)
      : module_(module), function_(function), zeros_(function.registers.size(), most_zeros) {
    // Every register begins with the best alignment, and each assignment may only worsen it, so that this ends.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& instruction : function.instructions) {
        const std::span operands = operands_of(instruction);
        for (const auto& [target, zeros] : results(instruction, operands)) {
          if (zeros >= zeros_[target]) continue;
          zeros_[target] = zeros;
          changed = true;
        }
      }
    }
  }
  [[nodiscard]] int zeros(std::uint32_t index) const { return zeros_[index]; }

 private:
  [[nodiscard]] std::span<const Operand> operands_of(const Instruction& instruction) const {
    return std::span(function_.operands).subspan(instruction.operands, instruction.operand_count);
  }
  /// The registers that an instruction may write, with their zeros.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, int>> results(const Instruction& instruction,
                                                                   std::span<const Operand> operands) const {
    std::vector<std::pair<std::uint32_t, int>> all;
    if (operands.empty()) return all;
    if (operands[0].kind == Operand::Kind::List)
      for (const Operand& element : std::span(function_.operands).subspan(operands[0].index, operands[0].count))
        if (element.kind == Operand::Kind::Register) all.emplace_back(element.index, 0);
    if (operands.size() > 1 && operands[1].joined && operands[1].kind == Operand::Kind::Register)
      all.emplace_back(operands[1].index, 0);
    if (operands[0].kind == Operand::Kind::Register) all.emplace_back(operands[0].index, zeros_of_result(instruction, operands));
    return all;
  }
  [[nodiscard]] int zeros_of_result(const Instruction& instruction, std::span<const Operand> operands) const {
    const std::string_view name = module_.names[instruction.name];
    const auto is = [&](std::string_view prefix) { return name.starts_with(prefix); };
    const std::size_t count = operands.size();
    if (count == 2 && (is("mov.") || is("cvta.") || is("cvt.u64.u32") || is("cvt.s64.s32") || is("cvt.u32.u64")))
      return zeros_of(operands[1]);
    if (count == 3 && (is("add.") || is("sub.") || is("or.") || is("xor.")))
      return std::min(zeros_of(operands[1]), zeros_of(operands[2]));
    if (count == 3 && is("and.")) return std::max(zeros_of(operands[1]), zeros_of(operands[2]));
    if (count == 3 && is("shl.") && operands[2].kind == Operand::Kind::Immediate)
      return capped(zeros_of(operands[1]) + static_cast<int>(std::min<std::uint64_t>(operands[2].value, most_zeros)));
    if (count == 3 && (is("mul.lo") || is("mul.wide"))) return capped(zeros_of(operands[1]) + zeros_of(operands[2]));
    if (count == 4 && (is("mad.lo") || is("mad.wide")))
      return std::min(capped(zeros_of(operands[1]) + zeros_of(operands[2])), zeros_of(operands[3]));
    if (count == 4 && is("selp.")) return std::min(zeros_of(operands[1]), zeros_of(operands[2]));
    return 0;
  }
  [[nodiscard]] int zeros_of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::Register: return zeros_[operand.index];
      case Operand::Kind::Immediate: return capped(operand.value == 0 ? most_zeros : std::countr_zero(operand.value));
      case Operand::Kind::Variable: {
        // ptxas places the shared variables of a kernel, and gives those that are large enough a higher alignment.
        const Variable& variable = function_.variables[operand.index];
        const bool placed = variable.space == Space::Shared && variable.bytes >= vector_bytes;
        const std::uint32_t align = placed ? std::max<std::uint32_t>(variable.align, vector_bytes) : variable.align;
        return std::min(std::countr_zero(align), capped(operand.value == 0 ? most_zeros : std::countr_zero(operand.value)));
      }
      default: return 0;
    }
  }
  static int capped(int zeros) { return std::min(zeros, most_zeros); }

  const Module& module_;
  const Function& function_;
  std::vector<int> zeros_;
};

/// A load of shared memory that may be joined to others.
struct Load {
  std::uint32_t instruction = 0, target = 0, base = 0;
  std::int64_t offset = 0;
  int bytes = 0;
};

/// Whether an instruction may change shared memory, wait for others, or lead elsewhere: no load is moved across it.
bool is_border(std::string_view name) {
  constexpr std::array borders{"atom", "red",  "bar",  "membar", "fence", "call", "bra", "brx",  "ret",    "exit",
                               "cp.",  "mbar", "st.s", "ld.v",   "trap",  "vote", "shfl", "match", "activemask", "st.v"};
  if (std::ranges::any_of(borders, [name](const char* border) { return name.starts_with(border); })) return true;
  const bool elsewhere = name.starts_with("st.global") || name.starts_with("st.local") || name.starts_with("st.param");
  return name.starts_with("st.") && !elsewhere;
}

class Joiner {
 public:
  Joiner(Module& module, Function& function) : module_(module), function_(function), alignments_(module, function) {}

  int run() {
    std::vector<bool> begins(function_.instructions.size() + 1);
    for (const std::uint32_t label : function_.labels)
      if (label < begins.size()) begins[label] = true;
    gone_.assign(function_.instructions.size(), false);
    std::uint32_t first = 0;
    const auto count = static_cast<std::uint32_t>(function_.instructions.size());
    for (std::uint32_t i = 0; i <= count; ++i) {
      if (i < count && !begins[i] && !is_border(name_of(i))) continue;
      join_within(first, i);
      first = i < count && is_border(name_of(i)) ? i + 1 : i;
    }
    remove_the_gone();
    return static_cast<int>(std::ranges::count(gone_, true));
  }

 private:
  [[nodiscard]] std::string_view name_of(std::uint32_t instruction) const {
    return module_.names[function_.instructions[instruction].name];
  }
  [[nodiscard]] std::span<const Operand> operands_of(std::uint32_t instruction) const {
    const Instruction& one = function_.instructions[instruction];
    return std::span(function_.operands).subspan(one.operands, one.operand_count);
  }
  /// Whether an instruction mentions a register in any way.
  [[nodiscard]] bool mentions(std::uint32_t instruction, std::uint32_t reg) const {
    const auto is_it = [reg](const Operand& operand) {
      return operand.index == reg && (operand.kind == Operand::Kind::Register ||
                                      (operand.kind == Operand::Kind::Address && operand.base == Operand::Kind::Register));
    };
    if (function_.instructions[instruction].guard == static_cast<std::int32_t>(reg)) return true;
    return std::ranges::any_of(operands_of(instruction), [&](const Operand& operand) {
      return is_it(operand) ||
             (operand.kind == Operand::Kind::List &&
              std::ranges::any_of(std::span(function_.operands).subspan(operand.index, operand.count), is_it));
    });
  }
  /// Whether an instruction writes a register; what only reads it is not told from that if it comes first.
  [[nodiscard]] bool writes(std::uint32_t instruction, std::uint32_t reg) const {
    const std::span operands = operands_of(instruction);
    if (operands.empty() || operands[0].kind == Operand::Kind::Address) return false;
    if (operands[0].kind == Operand::Kind::Register) return operands[0].index == reg;
    return operands[0].kind == Operand::Kind::List && mentions(instruction, reg);
  }

  /// Joins the loads of the instructions from `first` to before `end`.
  void join_within(std::uint32_t first, std::uint32_t end) {
    std::map<std::pair<std::uint32_t, int>, std::vector<Load>> groups;  // By the base and the size.
    for (std::uint32_t i = first; i < end; ++i) {
      for (auto& [key, loads] : groups)
        if (writes(i, key.first)) join_group(std::exchange(loads, {}));
      const std::string_view name = name_of(i);
      const std::span operands = operands_of(i);
      if (!name.starts_with("ld.shared.") || name.find('.', 10) != std::string_view::npos || operands.size() != 2 ||
          function_.instructions[i].guard >= 0 || operands[0].kind != Operand::Kind::Register ||
          operands[1].kind != Operand::Kind::Address || operands[1].base != Operand::Kind::Register)
        continue;
      const int bytes = bytes_of(type_named(name.substr(10)));
      if (bytes != 4 && bytes != 8) continue;
      groups[{operands[1].index, bytes}].push_back(
          {i, operands[0].index, operands[1].index, static_cast<std::int64_t>(operands[1].value), bytes});
    }
    for (auto& [key, loads] : groups)
      join_group(loads);
  }

  void join_group(std::vector<Load> loads) {
    std::ranges::stable_sort(loads, {}, &Load::offset);
    for (std::size_t i = 0; i < loads.size();) {
      std::size_t joined = 1;
      for (const int vector : {16, 8}) {
        const auto count = static_cast<std::size_t>(vector / loads[i].bytes);
        if (count < 2 || i + count > loads.size()) continue;
        if (!join(std::span(loads).subspan(i, count), vector)) continue;
        joined = count;
        break;
      }
      i += joined;
    }
  }

  /// Replaces neighbouring loads by one of a vector, where that is allowed.
  bool join(std::span<const Load> loads, int vector) {
    const int zeros = std::countr_zero(static_cast<unsigned>(vector));
    if (alignments_.zeros(loads[0].base) < zeros || loads[0].offset % vector != 0) return false;
    std::uint32_t first = loads[0].instruction;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (loads[i].offset != loads[0].offset + static_cast<std::int64_t>(i) * loads[0].bytes) return false;
      if (name_of(loads[i].instruction) != name_of(loads[0].instruction)) return false;
      first = std::min(first, loads[i].instruction);
    }
    for (const Load& load : loads)
      for (std::uint32_t between = first; between < load.instruction; ++between)
        if (mentions(between, load.target)) return false;
    Instruction& made = function_.instructions[first];
    std::string name(name_of(first));
    name.insert(name.rfind('.'), ".v" + std::to_string(loads.size()));
    const Operand address = [&] {
      Operand operand = operands_of(first)[1];
      operand.value = static_cast<std::uint64_t>(loads[0].offset);
      return operand;
    }();
    Operand list;
    list.kind = Operand::Kind::List;
    list.count = static_cast<std::uint8_t>(loads.size());
    list.index = static_cast<std::uint32_t>(function_.operands.size());
    for (const Load& load : loads) {
      Operand target;
      target.kind = Operand::Kind::Register;
      target.index = load.target;
      function_.operands.push_back(target);
      if (load.instruction != first) gone_[load.instruction] = true;
    }
    made.operands = static_cast<std::uint32_t>(function_.operands.size());
    made.operand_count = 2;
    function_.operands.push_back(list);
    function_.operands.push_back(address);
    const auto known = std::ranges::find(module_.names, name);
    made.name = static_cast<std::uint32_t>(known - module_.names.begin());
    if (known == module_.names.end()) module_.names.push_back(std::move(name));
    return true;
  }

  void remove_the_gone() {
    std::vector<Instruction> kept;
    std::vector<std::uint32_t> place;  // Of each instruction among those that are kept.
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      place.push_back(static_cast<std::uint32_t>(kept.size()));
      if (!gone_[i]) kept.push_back(function_.instructions[i]);
    }
    place.push_back(static_cast<std::uint32_t>(kept.size()));
    for (std::uint32_t& label : function_.labels)
      if (label < place.size()) label = place[label];
    function_.instructions = std::move(kept);
  }

  Module& module_;
  Function& function_;
  Alignments alignments_;
  std::vector<bool> gone_;
};

}  // namespace

int join_shared_loads(Module& module, Function& function) {
  const int gone = Joiner(module, function).run();
  if (gone == 0) return 0;
  // Vectors need the alignment that ptxas gives to variables.
  function.shared_bytes = 0;
  for (Variable& variable : function.variables) {
    if (variable.space != Space::Shared) continue;
    if (variable.bytes >= vector_bytes) variable.align = std::max<std::uint32_t>(variable.align, vector_bytes);
    variable.offset = (function.shared_bytes + variable.align - 1) / variable.align * variable.align;
    function.shared_bytes = variable.offset + variable.bytes;
  }
  return gone;
}

}  // namespace threadscape::warp
