#pragma once
// Facts of kernels in machine code: cubins are ELF files with sections of NVIDIA.

#include <string>
#include <string_view>
#include <vector>

namespace threadscape::warp {

struct KernelCode {
  std::string name;   ///< The name in PTX.
  int registers = 0;  ///< 32-bit registers of a thread; 0 where the file does not say.
  /// The numbers of instructions of straight code: up to the first EXIT that some threads take, from there up to the
  /// next one, and so on; the last part ends with the EXIT of all that are left. A warp executes a part once if one of
  /// its threads gets there. Empty where the kernel has branches or calls.
  std::vector<int> straight_parts;
};

/// The kernels of a cubin. Empty for anything that is not one: its contents are not trusted.
[[nodiscard]] std::vector<KernelCode> kernels_of_cubin(std::string_view cubin);

}  // namespace threadscape::warp
