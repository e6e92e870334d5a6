#pragma once
// What volumes and views state for the parameters of the algorithm that takes them (compute/registry/facets/
// result_settings.h). Unlike a file, they also name the phantom that they were made from, so that a reconstruction can
// be compared with it. Names begin with "voxels." or "views.".

#include <string>

#include "compute/core/file_notes.h"
#include "compute/registry/facets/result_settings.h"
#include "compute/registry/facets/scanner.h"

namespace threadscape::projection {

/// The geometry of the scan, and that of the voxels if the result consists of voxels. Lengths are in the unit of the
/// sides of the voxels.
[[nodiscard]] ResultSettings scan_settings(const ScannerDiagram& scan, std::string phantom);
/// The sides of the voxels, and the scan that the volume is meant for.
[[nodiscard]] ResultSettings noted_settings(const FileNotes& notes, std::string phantom);

}  // namespace threadscape::projection
