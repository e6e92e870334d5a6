#pragma once
// What CUDA launches for a run: kernels with their launch configuration and the resources that bound their occupancy.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace threadscape::cuda {

/// Launches of one kernel with equal configurations during one run.
struct KernelFacts {
  std::string name;  ///< The name in the sources, without namespaces, template arguments and parameters.
  int launches = 0;
  std::array<unsigned, 3> grid = {}, block = {};  ///< Blocks of the grid and threads of a block, along x, y and z.
  int registers = 0;                              ///< 32-bit registers of a thread.
  std::size_t shared_bytes = 0;                   ///< Shared memory of a block, static and dynamic.
  std::size_t local_bytes = 0;  ///< Local memory of a thread: arrays, and registers that were spilled.
  /// Number of blocks that fit on a multiprocessor at the same time by their threads, registers and shared memory.
  int blocks_per_multiprocessor = 0;
  /// Upper bound of the occupancy: warps of these blocks divided by the warps that a multiprocessor holds, 0..1.
  double occupancy = 0.0;

  [[nodiscard]] double blocks() const { return static_cast<double>(grid[0]) * grid[1] * grid[2]; }
  friend bool operator==(const KernelFacts&, const KernelFacts&) = default;
};

/// The kernels of a run in the order of their first launch.
using Kernels = std::vector<KernelFacts>;

/// The number of multiprocessors that the launch with the most blocks keeps busy; 0 without kernels.
[[nodiscard]] int busy_multiprocessors(const Kernels& kernels, int multiprocessors);

}  // namespace threadscape::cuda
