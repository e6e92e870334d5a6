#include "compute/gpu/emulated/embedded_code.h"

#include <map>
#include <memory>
#include <mutex>

#include "compute/core/errors.h"
#include "compute/gpu/emulated/fat_binary.h"

namespace threadscape::gpu {

namespace {

struct Code {
  const void* wrapper = nullptr;
  std::unique_ptr<const warp::Module> module;
};
struct Registered {
  Code* code = nullptr;
  std::string name;
};
struct Registry {
  std::mutex mutex;
  std::map<const void*, Code> codes;  ///< By handle.
  std::map<const void*, Registered> functions, variables;
};

/// Never destroyed, and made by the first call, since both happen while other static objects are made and destroyed.
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

EmbeddedSymbol find(std::map<const void*, Registered>& symbols, const void* address) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = symbols.find(address);
  if (found == symbols.end())
    throw DeviceError("the emulated device does not know a kernel or variable at this address", /*sticky=*/false);
  Code& code = *found->second.code;
  if (!code.module) {
    const std::string ptx = embedded_ptx(code.wrapper);
    if (ptx.empty())
      throw DeviceError("this build has no PTX of " + found->second.name +
                            ", which the emulated device executes: CMAKE_CUDA_ARCHITECTURES names machine code alone",
                        /*sticky=*/false);
    code.module = std::make_unique<const warp::Module>(warp::parse_ptx(ptx));
  }
  return {code.module.get(), found->second.name};
}

}  // namespace

void register_code(const void* handle, const void* wrapper) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.codes[handle].wrapper = wrapper;
}

void register_function(const void* handle, const void* function, const char* name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.functions[function] = {&all.codes[handle], name};
}

void register_variable(const void* handle, const void* variable, const char* name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.variables[variable] = {&all.codes[handle], name};
}

EmbeddedSymbol embedded_function(const void* function) {
  return find(registry().functions, function);
}

EmbeddedSymbol embedded_variable(const void* variable) {
  return find(registry().variables, variable);
}

std::string embedded_text(const warp::Module& module) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const auto& [handle, code] : all.codes)
    if (code.module.get() == &module) return embedded_ptx(code.wrapper);
  return {};
}

}  // namespace threadscape::gpu
