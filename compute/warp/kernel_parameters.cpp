#include "compute/warp/kernel_parameters.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/core/symbol_name.h"

namespace threadscape::warp {

namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return std::string(text);
}

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The index of the bracket that closes the one at `open`; npos if none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// The parts of a list that commas outside of brackets separate.
std::vector<std::string> list_parts(std::string_view list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (i < list.size() && (c != ',' || depth > 0)) continue;
    if (std::string part = trimmed(list.substr(begin, i - begin)); !part.empty() && part != "void")
      parts.push_back(std::move(part));
    begin = i + 1;
  }
  return parts;
}

/// The parameters in the definition of a kernel; nothing if the source has no definition with so many.
std::optional<std::vector<std::string>> parameters_in_source(std::string_view source, const std::string& name,
                                                             std::size_t count) {
  for (std::size_t at = source.find(name); at != std::string_view::npos; at = source.find(name, at + 1)) {
    std::size_t open = at + name.size();
    if ((at > 0 && is_word_char(source[at - 1])) || open >= source.size() || is_word_char(source[open])) continue;
    open = source.find_first_not_of(" \t\r\n", open);
    if (open == std::string_view::npos || source[open] != '(') continue;
    const std::size_t close = closing(source, open);
    if (close == std::string_view::npos) continue;
    const std::size_t next = source.find_first_not_of(" \t\r\n", close + 1);
    if (next == std::string_view::npos || source[next] != '{') continue;
    std::vector<std::string> parts = list_parts(source.substr(open + 1, close - open - 1));
    if (parts.size() == count) return parts;
  }
  return {};
}

/// Whether the kernel uses a register that was loaded from the parameter as an address.
bool used_as_address(const Module& module, const Function& kernel, std::size_t parameter) {
  std::vector<bool> holds(kernel.registers.size());
  const auto holding = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::Register && operand.index < holds.size() && holds[operand.index];
  };
  for (const Instruction& instruction : kernel.instructions) {
    const std::string& operation = module.names[instruction.name];
    const std::span operands = std::span(kernel.operands).subspan(instruction.operands, instruction.operand_count);
    if (operation.starts_with("ld.param") && operands.size() == 2 && operands[0].kind == Operand::Kind::Register) {
      const Operand& from = operands[1];
      const bool named = from.kind == Operand::Kind::Address && from.base == Operand::Kind::Parameter &&
                         from.index == parameter && from.value == 0;
      if (named) holds[operands[0].index] = true;
      continue;
    }
    for (const Operand& operand : operands)
      if (operand.kind == Operand::Kind::Address && operand.base == Operand::Kind::Register &&
          operand.index < holds.size() && holds[operand.index])
        return true;
    if (operands.size() < 2 || operands[0].kind != Operand::Kind::Register) continue;
    const bool used = std::any_of(operands.begin() + 1, operands.end(), holding);
    if (used && operation.starts_with("cvta")) return true;
    // A pointer to which something is added is a pointer; a product is none.
    if (used && (operation.starts_with("mov") || operation.starts_with("add.s64") || operation.starts_with("add.u64")))
      holds[operands[0].index] = true;
  }
  return false;
}

[[noreturn]] void refuse_value(const KernelParameter& parameter, const std::string& value) {
  throw UsageError("--arg '" + value + "' is no value of " + parameter.type + ", the type of '" + parameter.name + "'");
}

template <class T>
T parse_integer(const KernelParameter& parameter, const std::string& value) {
  std::string_view digits = value;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.starts_with("0x");
  if (hexadecimal) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse_value(parameter, value);
  // PTX does not say whether an integer has a sign, so that all values of both kinds fit.
  const std::uint64_t most = std::numeric_limits<std::make_unsigned_t<T>>::max();
  if (magnitude > (negative ? most / 2 + 1 : most)) refuse_value(parameter, value);
  return static_cast<T>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

double parse_real(const KernelParameter& parameter, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || end != value.c_str() + value.size()) refuse_value(parameter, value);
  return number;
}

bool is_structure(Type type, std::span<const std::byte> bytes) {
  return bytes.size() != static_cast<std::size_t>(bytes_of(type));
}

/// How the command line states these bytes of a structure.
std::string bytes_wanted(std::span<const std::byte> bytes) {
  return "a structure of " + std::to_string(bytes.size()) + " bytes: 0x and " + std::to_string(2 * bytes.size()) +
         " hexadecimal digits";
}

/// Writes the value of a parameter.
void write_argument(std::span<std::byte> to, Type type, const KernelParameter& parameter, const std::string& value) {
  const auto put = [&to](auto number) { std::memcpy(to.data(), &number, std::min(sizeof number, to.size())); };
  if (is_structure(type, to)) {
    if (!value.starts_with("0x") || value.size() != 2 + 2 * to.size())
      throw UsageError("--arg '" + value + "' is no value of '" + parameter.name + "', " + bytes_wanted(to));
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = std::byte{parse_integer<std::uint8_t>(parameter, "0x" + value.substr(2 + 2 * i, 2))};
    return;
  }
  if (type == Type::F32) return put(static_cast<float>(parse_real(parameter, value)));
  if (type == Type::F64) return put(parse_real(parameter, value));
  switch (to.size()) {
    case 1:
      return put(parse_integer<std::uint8_t>(parameter, value));
    case 2:
      return put(parse_integer<std::uint16_t>(parameter, value));
    case 4:
      return put(parse_integer<std::uint32_t>(parameter, value));
    default:
      return put(parse_integer<std::uint64_t>(parameter, value));
  }
}

}  // namespace

std::string shown_name(std::string_view symbol) {
  const std::string text = demangled(symbol);
  // The parameters are the last brackets, and a return type ends with a space outside of brackets.
  std::size_t end = text.size(), begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool place = text.compare(i, 11, "(anonymous ") == 0;
    if (c == '(' && depth == 0 && !place && i > begin) {
      end = i;
      break;
    }
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return text.substr(begin, end - begin);
}

const Function& find_kernel(const Module& module, std::string_view name) {
  std::vector<const Function*> kernels;
  std::string list;
  for (const Function& function : module.functions)
    if (function.entry && function.defined) {
      kernels.push_back(&function);
      list += (list.empty() ? "" : " | ") + shown_name(function.name);
    }
  if (kernels.empty()) throw UsageError("there is no kernel; instances of a template need --kernel 'NAME<TYPE>'");
  if (name.empty() && kernels.size() == 1) return *kernels.front();
  if (name.empty()) throw UsageError("there are several kernels; --kernel takes one of: " + list);
  std::vector<const Function*> meant;
  const auto keep = [&](auto matches) {
    for (const Function* kernel : kernels)
      if (meant.size() < 2 && matches(*kernel)) meant.push_back(kernel);
  };
  keep([&](const Function& kernel) { return kernel.name == name; });
  if (meant.empty()) keep([&](const Function& kernel) { return shown_name(kernel.name) == name; });
  if (meant.empty()) keep([&](const Function& kernel) { return kernel_name(kernel.name) == name; });
  if (meant.empty())
    keep([&](const Function& kernel) { return shown_name(kernel.name).find(name) != std::string::npos; });
  if (meant.size() == 1) return *meant.front();
  throw UsageError((meant.empty() ? "no kernel" : "more than one kernel") + std::string(" is named '") +
                   std::string(name) + "': there are " + list);
}

std::vector<KernelParameter> parameters_of(const Module& module, const Function& kernel, std::string_view source) {
  const std::size_t count = kernel.parameters.size();
  const auto in_source = parameters_in_source(source, kernel_name(kernel.name), count);
  std::vector<std::string> in_symbol;
  const std::string symbol = demangled(kernel.name);
  if (symbol != kernel.name)
    if (const std::size_t open = symbol.rfind(shown_name(kernel.name)); open != std::string::npos)
      if (const std::size_t bracket = symbol.find('(', open + shown_name(kernel.name).size());
          bracket != std::string::npos)
        in_symbol = list_parts(std::string_view(symbol).substr(bracket + 1, symbol.rfind(')') - bracket - 1));
  std::vector<KernelParameter> all;
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& variable = kernel.parameters[i];
    KernelParameter& parameter = all.emplace_back();
    parameter.name = "parameter " + std::to_string(i + 1);
    const bool by_bytes = variable.bytes != static_cast<std::uint64_t>(bytes_of(variable.type));
    parameter.type =
        by_bytes ? std::to_string(variable.bytes) + " bytes" : std::to_string(8 * variable.bytes) + " bits";
    if (in_symbol.size() == count) parameter.type = in_symbol[i];
    if (in_source) {
      std::string declaration = (*in_source)[i];
      declaration = trimmed(declaration.substr(0, declaration.find('=')));
      std::size_t begin = declaration.size();
      while (begin > 0 && is_word_char(declaration[begin - 1]))
        --begin;
      if (begin > 0 && begin < declaration.size()) {
        parameter.name = declaration.substr(begin);
        if (in_symbol.size() != count) parameter.type = trimmed(declaration.substr(0, begin));
      }
    }
    const bool stated = parameter.type.find('*') != std::string::npos;
    parameter.pointer = !by_bytes && variable.bytes == 8 &&
                        (stated || (in_symbol.size() != count && used_as_address(module, kernel, i)));
  }
  return all;
}

void fill_bytes(std::span<std::byte> bytes, std::uint32_t seed) {
  for (std::byte& byte : bytes) {
    seed = seed * 1664525u + 1013904223u;
    byte = std::byte{static_cast<std::uint8_t>(seed >> 24)};
  }
}

KernelArguments::KernelArguments(const Function& kernel, const std::vector<KernelParameter>& parameters,
                                 std::uint64_t buffer_bytes, const std::vector<std::string>& values) {
  bytes_.resize(kernel.parameter_bytes);
  const auto pointers = static_cast<std::uint64_t>(std::ranges::count_if(parameters, &KernelParameter::pointer));
  if (pointers > 0 && buffer_bytes > std::numeric_limits<std::uint64_t>::max() / 2 / pointers)
    throw UsageError("--buffer is too large");
  if (const auto free = free_host_bytes_below(pointers * buffer_bytes))
    throw EnvironmentError("the buffers of " + std::to_string(pointers) + " parameters need " +
                           std::to_string(pointers * buffer_bytes >> 20) + " MiB, and " + std::to_string(*free >> 20) +
                           " MiB are free: choose a smaller --buffer");
  buffers_.reserve(parameters.size());
  std::size_t next = 0;
  std::uint64_t address = std::uint64_t{1} << 40;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Variable& variable = kernel.parameters[i];
    const std::span to = std::span(bytes_).subspan(variable.offset, variable.bytes);
    if (parameters[i].pointer) {
      std::vector<std::byte>& buffer = buffers_.emplace_back(buffer_bytes);
      memory_.push_back({.name = parameters[i].name,
                         .address = address,
                         .memory = buffer.data(),
                         .bytes = buffer_bytes,
                         .written = nullptr,
                         .read_only = false});
      std::memcpy(to.data(), &address, to.size());
      // Buffers begin at multiples of 2 MiB, and a gap behind each keeps a wrong index from the next one.
      constexpr std::uint64_t page = 2 << 20;
      address += (buffer_bytes + page - 1) / page * page + (std::uint64_t{64} << 20);
      continue;
    }
    if (next == values.size())
      throw UsageError("'" + parameters[i].name + "', parameter " + std::to_string(i + 1) + " of " +
                       shown_name(kernel.name) + ", needs a value: --arg VALUE of type " + parameters[i].type +
                       (is_structure(variable.type, to) ? ", " + bytes_wanted(to) : ""));
    write_argument(to, variable.type, parameters[i], values[next++]);
  }
  if (next < values.size())
    throw UsageError("--arg '" + values[next] + "' is superfluous: " + shown_name(kernel.name) + " takes " +
                     std::to_string(next) + (next == 1 ? " value" : " values"));
  fill();
}

void KernelArguments::fill() {
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    fill_bytes(buffers_[i], static_cast<std::uint32_t>(i + 1));
}

}  // namespace threadscape::warp
