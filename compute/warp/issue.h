#pragma once
// How long the schedulers of a multiprocessor are held up by machine instructions whose pipes are narrower than a warp.

#include "compute/warp/cubin.h"

namespace threadscape::warp {

/// Sums of warp instructions, in cycles of a sub-partition of a multiprocessor. Each of its pipes works beside the
/// others, and one instruction is issued in a cycle. Rates are those of compute capability 9.0 in the table of
/// arithmetic throughput in the CUDA C++ Programming Guide, by the pipes that Nsight Compute's guide names.
struct IssueCycles {
  double issued = 0;   ///< One for each instruction.
  double alu = 0;      ///< Integers but for multiplication, logic, comparisons, choices: 64 lanes of a multiprocessor.
  double fma = 0;      ///< Multiply-adds: 128 lanes for floats, 64 for integers.
  double special = 0;  ///< Roots, logarithms, sines, counts of bits: 16 lanes.
  double doubles = 0;  ///< Arithmetic of double precision: 64 lanes.
  double tensor = 0;  ///< Products of matrices by single warps (HMMA, IMMA), at the rate that docs/benchmarks measures.

  void add(MachineOperation operation, double warps);
  /// The cycles of the pipe that has the most.
  [[nodiscard]] double most() const;
};

}  // namespace threadscape::warp
