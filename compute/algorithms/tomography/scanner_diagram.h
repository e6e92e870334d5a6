#pragma once
// What the diagrams of projection and reconstruction share.

#include "compute/algorithms/tomography/geometry.h"
#include "compute/registry/diagram.h"

namespace threadscape::projection {

/// Of a scanner whose input is the object.
[[nodiscard]] ScannerDiagram scanner_diagram(const Geometry& geometry);
/// The ray of a pixel through the object; none where there is no such pixel.
[[nodiscard]] std::optional<RayDiagram> ray_diagram(const Geometry& geometry, const float* voxels, int view, int row,
                                                    int column);

}  // namespace threadscape::projection
