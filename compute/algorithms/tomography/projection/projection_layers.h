#pragma once
// Projection of a volume that need not fit into memory: Projection::run_layers().

#include "compute/algorithms/tomography/geometry.h"
#include "compute/algorithms/tomography/projection/projection_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// A run in slabs of so many layers along y. Each makes run.out, whatever it held before; throws Cancelled and what the
/// reader throws.
struct LayerPlan {
  Geometry geometry;
  Method method = Method::incremental;
  int layers = 1;
};

/// On the GPU: two slabs lie in device memory, one is uploaded while the other is projected and the next one is read.
/// In builds without CUDA this throws BackendAbsent.
void project_layers_cuda(const LayerPlan& plan, const LayerRun& run);
/// Device memory that can be had for a run, apart from its slabs and their columns; 0 when there is none left.
[[nodiscard]] std::size_t device_bytes_for_layers(const LayerRun& run);

/// Layers y .. y + layers - 1 of the volume, at most to its end.
[[nodiscard]] Box slab_at(const Geometry& geometry, int y, int layers);

}  // namespace threadscape::projection
