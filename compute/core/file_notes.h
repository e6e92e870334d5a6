#pragma once

#include <array>
#include <string>
#include <vector>

namespace threadscape {

/// What a file of a result says beside its values, in formats that have a place for it.
struct FileNotes {
  int bits = 0;                            ///< Bits of a value in the file; 0 for as many as the result has.
  std::array<double, 3> spacing{1, 1, 1};  ///< Sides of a volume's voxel along x, y (from slice to slice) and z.
  std::vector<std::string> titles;         ///< Titles of a volume's slices; slices beyond them are numbered.
};

}  // namespace threadscape
