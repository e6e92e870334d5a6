#pragma once
// A block's tile of one plane in shared memory, with all that lies around it.

#include "compute/engines/planes/planes.h"

namespace threadscape {

/// tile[row * pitch + column] = convert(value at (left + column, top + row)), by all threads of a two-dimensional
/// block. The caller synchronises.
template <class P, class To, class View, class Convert>
__device__ void load_plane_tile(const View& in, int left, int top, int width, int height, int plane, Border border,
                                To* tile, int pitch, const Convert& convert) {
  for (int row = threadIdx.y; row < height; row += blockDim.y)
    for (int column = threadIdx.x; column < width; column += blockDim.x)
      tile[row * pitch + column] = convert(plane_value<P>(in, left + column, top + row, plane, border));
}

}  // namespace threadscape
