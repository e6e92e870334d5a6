#pragma once
// The order in which rows and columns are removed with order=optimal: a value that every backend carves by. It is
// found on the CPU, from the input in host memory.

#include <stop_token>
#include <vector>

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"
#include "compute/core/preparation.h"

namespace threadscape::seam_carving {

/// A picture that seams are searched in.
struct Picture {
  ImageView<float> grey;
  ImageView<Mark> marks;  ///< `data` is null without masks.
};

/// The passes of a run that needs_transport(): first single seams of rows and columns in the order of the lowest total
/// cost, then the enlarging passes of the plan. `start` is the input; seams are searched with `carve`. Working memory
/// comes from run.scratch: transport_bytes(), and what `carve` takes. Progress is reported per entry of the map, unless
/// run.progress is null. A run that is stopped returns early with passes of no use.
[[nodiscard]] std::vector<Pass> find_pass_order(const Plan&, const Picture& start, const HostRun& run,
                                                CarveFunction carve);
[[nodiscard]] std::size_t transport_bytes(const Plan&);

/// The passes of a run with order=optimal, found before it: a CUDA run only queues work, and searching the order is
/// work for the CPU.
struct PassOrder final : Preparation {
  std::vector<Pass> passes;
};
/// Finds the passes of a run that needs_transport() with all cores and working memory of its own. `progress` may be
/// null. Returns early with passes of no use once `stop` is requested.
[[nodiscard]] std::vector<Pass> find_pass_order(const Plan&, const HostIn& input, const std::stop_token& stop,
                                                Progress* progress);

}  // namespace threadscape::seam_carving
