#pragma once
// A kernel under the microscope: its counts, the models of caches and occupancy, and its faults.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compute/warp/caches.h"
#include "compute/warp/gpu_models.h"
#include "compute/warp/machine.h"
#include "compute/warp/occupancy.h"

namespace threadscape::warp {

struct StudyRequest {
  LaunchRequest launch;    ///< The study chooses its blocks, its multiprocessors and its observer.
  std::string_view cubin;  ///< Machine code of the module, for registers and instructions; may be empty.
  const GpuModel* gpu = nullptr;
  std::uint64_t blocks = 0;  ///< Of larger grids so many blocks are executed; 0 executes all.
  /// Gives the memory the bytes that it had before the launch; called only where blocks are left out.
  std::function<void()> refill;
};

/// How sure a figure is.
enum class Certainty : std::uint8_t { counted, modelled, unknown };
[[nodiscard]] std::string_view name_of(Certainty certainty);

struct Study {
  LaunchResult launch;  ///< Counts are those of the whole grid: where blocks were sampled, multiplied by their share.
  double active_lanes = 0;  ///< The mean over the warp instructions.
  /// Cycles of sub-partitions of multiprocessors that the warp instructions take; their number without machine code.
  double issue_cycles = 0;
  CacheTotals caches;  ///< With other_lookups().
  Occupancy occupancy;
  std::optional<int> registers;       ///< Of a thread; nothing where they are not known.
  bool instructions_in_code = false;  ///< Warp instructions and active lanes are those of the machine code.

  // Percent of the sectors that were looked up; 0 where none was.
  [[nodiscard]] double l1_hit_rate() const;
  [[nodiscard]] double l2_hit_rate() const;
  /// Adds another launch of the kernel, with equal grid and block, that has executed all of its blocks.
  void add(const Study& other);
};

/// Executes the kernel and asks the models. Hit rates of sampled grids are those of neighbouring blocks, which are
/// executed beside the sample. Throws what launch() throws. A launch that a limit stopped has no hit rates.
[[nodiscard]] Study study(const StudyRequest& request);

/// A figure by its name in reports.
struct Figure {
  std::string_view name;   ///< "global_load_sectors"
  std::string_view title;  ///< "global load sectors"
  std::uint64_t Counts::*count;
};
/// The counts of a kernel and of a line that are sums, in the order of reports.
[[nodiscard]] std::span<const Figure> figures();
/// How sure a sum of a kernel is. The active lanes are as sure as the warp instructions.
[[nodiscard]] Certainty certainty_of(const Figure& figure, const Study& study);

}  // namespace threadscape::warp
