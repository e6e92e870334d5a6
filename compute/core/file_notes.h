#pragma once

#include <array>
#include <string>
#include <vector>

namespace threadscape {

/// Facts that the file of a result states beside its values, in formats that can store them.
struct FileNotes {
  int bits = 0;                            ///< Bits of a value in the file; 0 = as many as the result has.
  std::array<double, 3> spacing{1, 1, 1};  ///< Sides of a volume's voxel along x, y (from slice to slice) and z.
  std::vector<std::string> titles;         ///< Titles of a volume's slices; slices beyond them are numbered.
};

}  // namespace threadscape
