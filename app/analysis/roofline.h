#pragma once
// The roofline model (Williams, Waterman and Patterson, Communications of the ACM 52(4), 2009): the throughput of a
// computation is bounded by the bandwidth of a memory times the operations per byte, and by the peak of the arithmetic.

#include <string>
#include <vector>

#include "compute/core/ceilings.h"

namespace threadscape::app {

/// A limit that was measured on a machine, with the name that plots show: bytes per second for a memory, operations per
/// second for arithmetic.
using Ceiling = NamedRate;

struct Roofline {
  std::vector<Ceiling> memories;     ///< From the slowest to the fastest: memory, then caches.
  std::vector<Ceiling> arithmetics;  ///< From the slowest to the fastest: scalar, then SIMD, or single numbers, then
                                     ///< tensor cores.

  /// The largest number of operations per second at `intensity` operations per byte under a memory and an arithmetic.
  [[nodiscard]] static double attainable(const Ceiling& memory, const Ceiling& arithmetic, double intensity);
  /// The intensity at which the two limits are equal.
  [[nodiscard]] static double ridge(const Ceiling& memory, const Ceiling& arithmetic);
};

/// Measured ceilings, sorted.
[[nodiscard]] Roofline roofline_of(const MeasuredCeilings& measured);

/// The limits of a CPU. A thread alone reaches other rates than all threads together, so that both are measured.
struct HostRooflines {
  Roofline one_thread, all_threads;
};

/// A computation in the plot.
struct RooflinePoint {
  std::string label;
  double intensity = 0.0;   ///< Operations per byte that has to be moved at least.
  double operations = 0.0;  ///< Operations per second.
};

/// The ceiling that bounds a point.
struct RooflineBound {
  bool by_memory = false;  ///< If true, `ceiling` is a memory, otherwise an arithmetic.
  Ceiling ceiling;
  double share = 0.0;  ///< The throughput of the point divided by what the ceiling allows it.
};
/// The ceiling that is nearest above the point. If the point is above the highest memory or the highest arithmetic,
/// that one with a share above 1: the computation needs fewer operations than its definition counts, or fewer bytes.
/// The lists of the roofline are not empty.
[[nodiscard]] RooflineBound bound_of(const Roofline& roofline, const RooflinePoint& point);

}  // namespace threadscape::app
