#pragma once
// Facts of kernels in machine code: cubins are ELF files with sections of NVIDIA.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::warp {

struct KernelCode {
  std::string name;   ///< The name in PTX.
  int registers = 0;  ///< 32-bit registers of a thread; 0 where the file does not say.
  /// Instructions from the first to the last EXIT that is executed by all threads, where no branch is before that: a
  /// warp executes each of them once. Nothing where the kernel has branches or calls.
  std::optional<int> straight_instructions;
  int vector_shared_loads = 0;  ///< Instructions that load 64 or 128 bits of shared memory.
};

/// The kernels of a cubin. Empty for anything that is not one: its contents are not trusted.
[[nodiscard]] std::vector<KernelCode> kernels_of_cubin(std::string_view cubin);

}  // namespace threadscape::warp
