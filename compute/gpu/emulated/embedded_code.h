#pragma once
// The kernels and variables of this program, as nvcc's host code registers them at its start, before main().

#include <string>

#include "compute/warp/ptx.h"

namespace threadscape::gpu {

void register_code(const void* handle, const void* wrapper);
void register_function(const void* handle, const void* function, const char* name);
void register_variable(const void* handle, const void* variable, const char* name);

/// A kernel or variable: the PTX of its source file, which is read at the first use, and its name there.
struct EmbeddedSymbol {
  const warp::Module* module = nullptr;
  std::string name;
};
/// Throws DeviceError for an address that was not registered, and for a source file that was compiled to machine code
/// alone.
[[nodiscard]] EmbeddedSymbol embedded_function(const void* function);
[[nodiscard]] EmbeddedSymbol embedded_variable(const void* variable);
/// The PTX of a module that these have returned; "" for others.
[[nodiscard]] std::string embedded_text(const warp::Module& module);

}  // namespace threadscape::gpu
