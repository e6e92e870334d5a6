#pragma once
// Runs that do not fit into memory are cut into slabs: ranges of rows, or of layers of a volume, or tiles of these
// where halos would be larger than what is computed. Each slab is computed from the region of the input that it needs
// (compute/registry/facets/halo.h).

#include <functional>
#include <vector>

#include "compute/core/region.h"
#include "compute/run/memory_plan.h"

namespace threadscape {

struct Slab {
  Region input, output;
};

/// Cuts the result of a run into the largest slabs for which `fits` accepts the memory of each: that of a run, and in
/// host memory the slab's input and result. Empty if the algorithm has no HaloFacet, or if no cut makes the run fit.
[[nodiscard]] std::vector<Slab> cut_into_slabs(const RunRequest& request, const Shape& input,
                                               const std::function<bool(const MemoryPlan&)>& fits);

/// Computes a slab by run(input, output), on arrays of its own, and copies what belongs to the slab to `output`.
void run_slab(const Slab& slab, const RunRequest& request, HostIn input, HostOut output,
              const std::function<void(HostIn, HostOut)>& run);

}  // namespace threadscape
