#pragma once
// The time of kernels before it is measured, from what they count and what a GPU reaches.
//
// Blocks run in waves: as many as fit onto the GPU begin together, wait for memory and compute. A launch takes
//
//   the first wave           what a block takes that has a multiprocessor for itself (compute/warp/pace.h)
//   + memory, L2, shared memory, issue, and the waves behind the first one
//                            what all blocks together ask of the first four, and the time of a block and of the change
//                            of blocks for each wave; these overlap: the longest, and a little for others that are near
//   + the tail               multiprocessors wait for the one with the most blocks, and the last wave is as long as
//                            the others
//
// and then the time to the next launch.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/warp/gpu_models.h"
#include "compute/warp/study.h"

namespace threadscape::warp {

/// What binds a run.
enum class Bound : std::uint8_t { memory, l2, shared, issue, latency, tail, launch };
inline constexpr std::size_t bounds = 7;
/// "DRAM", "L2", "shared", "issue", "latency", "tail", "launch".
[[nodiscard]] std::string_view name_of(Bound bound);

/// What a GPU reaches. Bytes are per second.
struct GpuRates {
  std::string name;
  int multiprocessors = 0;
  double l2_capacity = 0;      ///< Bytes of L2.
  double clock = 0;            ///< Cycles per second of a multiprocessor.
  double memory = 0;           ///< Rate of a plain copy, read plus written.
  double l2 = 0;               ///< That all multiprocessors together read from L2.
  double launch_interval = 0;  ///< Seconds from one launch to the next if the kernels are short.
  double launch_gap = 0;       ///< Seconds between two kernels that follow each other.
};

/// The GPUs whose rates are known.
[[nodiscard]] std::span<const GpuRates> known_rates();
/// Those of "H100", "H200", or of a compute capability, of which the first one stands for "9.0". Throws UsageError.
[[nodiscard]] const GpuRates& parse_gpu_rates(std::string_view text);

/// What one launch of a kernel does.
struct LaunchWork {
  std::string kernel;       ///< Its name.
  double launches = 1;      ///< Launches like this one that follow each other.
  double blocks = 0;        ///< Blocks of the grid.
  double warps = 1;         ///< Warps of a block.
  double resident = 1;      ///< Blocks that a multiprocessor holds at the same time.
  double instructions = 0;  ///< Instructions that warps issue.
  double issue_cycles = 0;  ///< Cycles of a scheduler, as Study::issue_cycles.
  /// Cycles of a block that has a multiprocessor for itself, if loads come from L1, L2 or memory.
  std::array<double, load_sources> pace{};
  double wavefronts = 0;  ///< Passes over the 128 bytes of L1 and shared memory, with those of atomics and textures.
  double l1_misses = 0;   ///< The share of the loaded sectors that L1 has not.
  double l2_loads = 0, l2_stores = 0;          ///< Sectors that multiprocessors load from and store to L2.
  double memory_loads = 0, memory_stores = 0;  ///< Sectors between L2 and memory if L2 is empty before.
};
/// The mean of the launches that a study has added up.
[[nodiscard]] LaunchWork work_of(const std::string& kernel, const Study& study, double launches, const Extent& grid,
                                 const Extent& block);

/// What the launches of a run do on an input of `wanted` values, from two runs on smaller inputs that differ in the
/// number of their rows alone: the counts of a launch are affine in the rows, the number of launches in the logarithm.
/// Where the two have other kernels or blocks, or the same ones in another order, all counts of the larger one grow
/// alike.
[[nodiscard]] std::vector<LaunchWork> extended(const std::vector<LaunchWork>& smaller, double smaller_values,
                                               const std::vector<LaunchWork>& larger, double larger_values,
                                               double wanted);

struct Prediction {
  double seconds = 0;
  Bound bound = Bound::launch;
  /// The seconds that each of the bounds takes, in their order. Their sum is `seconds`.
  std::array<double, bounds> parts{};
};
/// The time of launches that follow each other. What an earlier launch has read or written is in L2 as far as that has
/// room, and with `warm` also what the first one reads. The bound is the largest part, or the tail if that is a third.
[[nodiscard]] Prediction predict(std::span<const LaunchWork> launches, const GpuRates& gpu, bool warm);

}  // namespace threadscape::warp
