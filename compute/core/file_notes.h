#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace threadscape {

/// The scan that a volume is meant for, as .dat files state it. Lengths are in the unit of the voxels' sides.
struct ScanNotes {
  double pixel = 0;                                   ///< From one pixel of the detector to the next.
  double detector_side = 0;                           ///< The side of the whole detector.
  double detector_distance = 0, source_distance = 0;  ///< From the centre of the volume.
  double arc = 0, step = 0;                           ///< In degrees: the views are spread over the arc.
};

/// Facts that the file of a result states beside its values, in formats that can store them.
struct FileNotes {
  int bits = 0;                            ///< Bits of a value in the file; 0 = as many as the result has.
  std::array<double, 3> spacing{1, 1, 1};  ///< Sides of a volume's voxel along x, y (from slice to slice) and z.
  std::vector<std::string> titles;         ///< Titles of a volume's slices; slices beyond them are numbered.
  std::optional<ScanNotes> scan;           ///< The scan that a volume is meant for; unset if it is unknown.
};

}  // namespace threadscape
