#pragma once
// The scanner and a single ray as data for the 3-D scene: the parts that the diagrams of projection and of
// reconstruction have in common.

#include "compute/algorithms/tomography/geometry.h"
#include "compute/registry/diagram.h"

namespace threadscape::projection {

/// The volume, the detector and all views of a scan whose input is the object and whose output are the views.
[[nodiscard]] ScannerDiagram scanner_diagram(const Geometry& geometry);
/// The ray of a pixel, with the voxels that it passes through, its length in each of them and their values. `voxels`
/// are in the order of VolumeGrid. Returns nothing if the scan has no such view, row or column.
[[nodiscard]] std::optional<RayDiagram> ray_diagram(const Geometry& geometry, const float* voxels, int view, int row,
                                                    int column);

}  // namespace threadscape::projection
