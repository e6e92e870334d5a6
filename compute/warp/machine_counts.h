#pragma once
// Counts of machine code, from those of the PTX that it was made of.

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/warp/cubin.h"
#include "compute/warp/issue.h"
#include "compute/warp/machine.h"
#include "compute/warp/ptx.h"

namespace threadscape::warp {

struct MachineCounts {
  /// The machine instructions that warps issue, by the instruction of PTX that they were made of: those of the kernel,
  /// and then those of the functions that it calls. What belongs to none, such as the first ones of a kernel, is in the
  /// first.
  std::vector<double> issued;
  double total = 0;      ///< Their sum.
  IssueCycles cycles;    ///< What they hold up.
  double lanes = 0;      ///< The mean number of active lanes.
  double divergent = 0;  ///< Branches of machine code that some active lanes take and others do not.
  bool certain = false;  ///< The code has no branches, so that the counts are exact.
};

/// Finds how often each block of the machine code was executed: the file says which line of PTX an instruction was made
/// of, and `executed` what warps did with each instruction of PTX. Nothing where the code has no lines, or calls
/// functions that are elsewhere: by their addresses, or of the CUDA runtime such as printf.
[[nodiscard]] std::optional<MachineCounts> machine_counts(const KernelCode& code, const Module& module,
                                                          const Function& kernel, const LaunchResult& executed);

}  // namespace threadscape::warp
