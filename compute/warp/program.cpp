#include "compute/warp/program.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace threadscape::warp {
namespace {

std::uint64_t rounded_to(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

/// The bytes of the stack of a thread of a kernel that calls functions.
constexpr std::uint64_t stack_bytes = 64 << 10;

/// The names of variables and functions that a kernel mentions, itself or through functions that it calls and variables
/// that have addresses of others.
std::unordered_set<std::string_view> used_names(const Module& module, const Function& kernel) {
  std::unordered_map<std::string_view, const Function*> functions;
  for (const Function& function : module.functions)
    if (function.defined && !function.entry) functions[function.name] = &function;
  std::unordered_map<std::string_view, const Variable*> tables;
  for (const Variable& variable : module.variables)
    if (!variable.references.empty()) tables[variable.name] = &variable;
  std::unordered_set<std::string_view> used;
  std::vector<const Function*> waiting{&kernel};
  std::vector<std::string_view> reached;
  while (!waiting.empty()) {
    const Function& function = *waiting.back();
    waiting.pop_back();
    for (const Operand& operand : function.operands)
      if (operand.kind == Operand::Kind::Symbol || operand.base == Operand::Kind::Symbol)
        reached.emplace_back(module.names[operand.index]);
    while (!reached.empty()) {
      const std::string_view name = reached.back();
      reached.pop_back();
      if (!used.insert(name).second) continue;
      if (const auto found = functions.find(name); found != functions.end()) waiting.push_back(found->second);
      if (const auto found = tables.find(name); found != tables.end())
        for (const Variable::Reference& reference : found->second->references)
          reached.emplace_back(reference.name);
    }
  }
  return used;
}

/// Gives the variables of the module and the shared memory of its functions their places.
Linkage link(Program& program, const Module& module, const Function& kernel,
             const std::unordered_set<std::string_view>& used, const std::vector<std::uint64_t>& given) {
  Linkage linkage;
  linkage.module = &module;
  std::uint64_t shared = 0, global = window::variables + 4096;
  std::vector<std::string_view> dynamic;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const Variable& variable = module.variables[i];
    // The compiler writes the variables of all kernels before them.
    if (!used.contains(variable.name)) continue;
    if (variable.space == Space::Shared) {
      if (variable.bytes == 0) {
        dynamic.push_back(variable.name);
        continue;
      }
      shared = rounded_to(shared, variable.align);
      linkage.symbols[variable.name] = {shared, Space::Shared};
      shared += variable.bytes;
    } else if (given[i] != 0) {
      linkage.symbols[variable.name] = {given[i], variable.space};
    } else {
      global = rounded_to(global, std::max<std::uint64_t>(variable.align, 256));
      linkage.symbols[variable.name] = {global, variable.space};
      program.own.push_back({&variable, global});
      global += variable.bytes + 256;
    }
  }
  for (const Function& function : module.functions) {
    const std::uint64_t begin = linkage.shared_at[&function] = rounded_to(shared, 128);
    const bool is_used = &function == &kernel || used.contains(function.name);
    if (is_used && function.shared_bytes > 0) shared = begin + function.shared_bytes;
  }
  program.shared_bytes = shared;
  program.dynamic_shared_at = rounded_to(shared, 16);
  for (const std::string_view name : dynamic)
    linkage.symbols[name] = {program.dynamic_shared_at, Space::Shared};
  // A declaration has the address of the definition.
  for (const bool defined : {false, true})
    for (std::size_t i = 0; i < module.functions.size(); ++i)
      if (const Function& function = module.functions[i]; !function.entry && function.defined == defined)
        linkage.symbols[function.name] = {window::functions + 16 * i, Space::Generic};
  for (std::size_t i = 0; i < program.own.size(); ++i)
    for (const Variable::Reference& reference : program.own[i].variable->references)
      if (const auto target = linkage.symbols.find(reference.name); target != linkage.symbols.end())
        program.references.push_back(
            {i, reference.at, target->second.address + static_cast<std::uint64_t>(reference.added)});
  return linkage;
}

/// Decodes the kernel and all functions that it names, directly or not. Numbers operations in the order of functions.
std::shared_ptr<const Program> decode_all(const Module& module, const Function& kernel,
                                          const std::vector<std::uint64_t>& given) {
  auto program = std::make_shared<Program>();
  const std::unordered_set<std::string_view> used = used_names(module, kernel);
  const Linkage linkage = link(*program, module, kernel, used, given);
  program->codes.resize(module.functions.size());
  bool calls = false;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const Function& function = module.functions[i];
    if (&function != &kernel && (function.entry || !function.defined || !used.contains(function.name))) continue;
    std::unique_ptr<Code>& code = program->codes[i] = std::make_unique<Code>(decode(function, linkage));
    program->local_bytes = std::max(program->local_bytes, code->local_bytes);
    for (const Operation& op : code->operations)
      calls |= op.flow == Flow::Call;
    code->first = program->operations;
    program->operations += static_cast<std::uint32_t>(code->operations.size());
  }
  if (calls) program->local_bytes += stack_bytes;
  program->local_bytes = rounded_to(program->local_bytes, 128);
  program->kernel = program->codes[static_cast<std::size_t>(&kernel - module.functions.data())].get();
  return program;
}

}  // namespace

std::shared_ptr<const Program> Programs::find(const Module& module, const Function& kernel,
                                              const std::vector<std::uint64_t>& given) {
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[&kernel];
  if (kept.program == nullptr || kept.given != given) kept = {given, decode_all(module, kernel, given)};
  return kept.program;
}

std::shared_ptr<const Program> program_of(const LaunchRequest& request, const Function& kernel) {
  const Module& module = *request.module;
  std::vector<std::uint64_t> given(module.variables.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (module.variables[i].space == Space::Shared) continue;
    const auto found = std::ranges::find(request.memory, std::string_view(module.variables[i].name), &Allocation::name);
    if (found != request.memory.end()) given[i] = found->address;
  }
  return request.programs != nullptr ? request.programs->find(module, kernel, given)
                                     : decode_all(module, kernel, given);
}

}  // namespace threadscape::warp
