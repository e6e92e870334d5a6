#include "compute/warp/ptx_text.h"

#include <bit>
#include <cstdio>

#include "compute/warp/kernel_parameters.h"

namespace threadscape::warp {
namespace {

std::string literal(const Operand& operand) {
  if (operand.floating == 0) return std::to_string(static_cast<std::int64_t>(operand.value));
  char text[32];
  const double value = operand.floating == 4
                           ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.value)))
                           : std::bit_cast<double>(operand.value);
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Compilers name parameters after the kernel: "_Z4blurPKfPf_param_1".
std::string short_parameter(const std::string& parameter) {
  const std::size_t at = parameter.rfind("_param_");
  return at == std::string::npos ? parameter : parameter.substr(at + 1);
}

/// A name of C++ without its namespaces and functions: "tile" of a variable in a kernel.
std::string short_symbol(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  const std::string name = shown_name(symbol);
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

class TextWriter {
 public:
  TextWriter(const Module& module, const Function& function) : module_(module), function_(function) {}

  [[nodiscard]] std::string operand(const Operand& from) const {
    switch (from.kind) {
      case Operand::Kind::Immediate:
        return literal(from);
      case Operand::Kind::Address:
        return address(from);
      case Operand::Kind::List: {
        std::string text = "{";
        for (std::uint32_t i = 0; i < from.count; ++i)
          text += (i > 0 ? ", " : "") + operand(function_.operands[from.index + i]);
        return text + "}";
      }
      default:
        return (from.negated ? from.kind == Operand::Kind::Register ? "!" : "-" : "") + name(from.kind, from.index);
    }
  }

 private:
  [[nodiscard]] std::string name(Operand::Kind kind, std::uint32_t index) const {
    switch (kind) {
      case Operand::Kind::Register:
        return function_.registers[index].name;
      case Operand::Kind::Symbol:
        return short_symbol(module_.names[index]);
      case Operand::Kind::Variable:
        return function_.variables[index].name;
      case Operand::Kind::Parameter:
        return short_parameter(function_.parameters[index].name);
      case Operand::Kind::Result:
        return function_.results[index].name;
      case Operand::Kind::Label:
        return "#" + std::to_string(function_.labels[index] + 1);
      default:
        return "_";
    }
  }
  [[nodiscard]] std::string address(const Operand& from) const {
    if (from.base == Operand::Kind::Immediate) return "[" + std::to_string(from.value) + "]";
    const auto added = static_cast<std::int64_t>(from.value);
    return "[" + name(from.base, from.index) + (added == 0 ? "" : (added > 0 ? "+" : "") + std::to_string(added)) + "]";
  }

  const Module& module_;
  const Function& function_;
};

}  // namespace

std::string text_of(const Module& module, const Function& function, const Instruction& instruction) {
  const TextWriter writer(module, function);
  std::string text;
  if (instruction.guard >= 0)
    text = std::string(instruction.guard_negated ? "@!" : "@") +
           function.registers[static_cast<std::size_t>(instruction.guard)].name + " ";
  text += module.names[instruction.name];
  for (std::uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function.operands[instruction.operands + i];
    text += (i == 0 ? " " : operand.joined ? "|" : ", ") + writer.operand(operand);
  }
  return text + ";";
}

}  // namespace threadscape::warp
