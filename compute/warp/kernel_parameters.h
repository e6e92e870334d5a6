#pragma once
// Kernels of a module by the names that a user gives, and the arguments that a launch by hand needs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/warp/machine.h"
#include "compute/warp/ptx.h"

namespace threadscape::warp {

/// The name of a kernel for people: as C++ writes it, without its return type and parameters. "fill<float>" is an
/// instance of a template.
[[nodiscard]] std::string shown_name(std::string_view symbol);

/// The kernel that a name means: that of the same symbol or shown name, else the only one whose shown name contains it.
/// "" means the only kernel. Throws UsageError with the list of kernels where none or several are meant.
[[nodiscard]] const Function& find_kernel(const Module& module, std::string_view name);

struct KernelParameter {
  std::string name;      ///< As the source writes it; "parameter 1" where the source is not at hand.
  std::string type;      ///< As the source or the symbol writes it: "const float*"; else that of PTX.
  bool pointer = false;  ///< It gets a buffer.
};

/// The parameters of a kernel. `source` is the text in CUDA C++, or "". What is a pointer follows from the source, else
/// from the symbol, else from what the kernel does with the parameter.
[[nodiscard]] std::vector<KernelParameter> parameters_of(const Module& module, const Function& kernel,
                                                         std::string_view source);

/// Buffers and arguments of a launch.
class KernelArguments {
 public:
  /// Every pointer gets a buffer of its own of so many bytes, all other parameters a value of `values`, in their order.
  /// A structure takes its bytes as "0x", followed by two hexadecimal digits for each. Throws UsageError where a value
  /// is missing, superfluous or does not fit, and EnvironmentError where the buffers need more memory than is free.
  KernelArguments(const Function& kernel, const std::vector<KernelParameter>& parameters, std::uint64_t buffer_bytes,
                  const std::vector<std::string>& values);
  KernelArguments(const KernelArguments&) = delete;
  KernelArguments& operator=(const KernelArguments&) = delete;

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  [[nodiscard]] std::span<const Allocation> memory() const { return memory_; }

  /// Fills all buffers with the bytes of a fixed generator, which begins at another number for each.
  void fill();

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<Allocation> memory_;
};

/// The bytes of the generator: the upper eight bits of a linear congruential one (Numerical Recipes) that starts at
/// `seed`.
void fill_bytes(std::span<std::byte> bytes, std::uint32_t seed);

}  // namespace threadscape::warp
