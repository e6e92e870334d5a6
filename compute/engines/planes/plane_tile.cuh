#pragma once
// The tile of a block in shared memory: one plane of a rectangle of the picture, usually the pixels of the block and
// the halo around them. Columns are neighbouring words (or bytes) of shared memory, so a warp reads without bank
// conflicts.
//
//   (left, top) -> +-------------------------+
//                  |  halo                   |    Thread (i, j) of the block loads the values of columns
//                  |   +-----------------+   |    i, i + blockDim.x, ... in rows j, j + blockDim.y, ...
//                  |   | pixels of the   |   |
//                  |   | block           |   |
//                  |   +-----------------+   |
//                  +-------------------------+

#include "compute/engines/planes/planes.h"

namespace threadscape {

/// Sets tile[row * pitch + column] = convert(value at (left + column, top + row)) for width x height values; values
/// outside of the picture are those that `border` puts there. All threads of a two-dimensional block take part, and the
/// caller synchronises.
template <class P, class To, class View, class Convert>
__device__ void load_plane_tile(const View& in, int left, int top, int width, int height, int plane, Border border,
                                To* tile, int pitch, const Convert& convert) {
  for (int row = threadIdx.y; row < height; row += blockDim.y)
    for (int column = threadIdx.x; column < width; column += blockDim.x)
      tile[row * pitch + column] = convert(plane_value<P>(in, left + column, top + row, plane, border));
}

}  // namespace threadscape
