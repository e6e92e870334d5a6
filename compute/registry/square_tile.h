#pragma once
// The diagram of what a block of threads copies to shared memory for square windows.

#include <string>

#include "compute/core/variant.h"
#include "compute/registry/diagram.h"

namespace threadscape {

/// The tile of a kernel whose threads read the square windows of a radius around their pixels, from each channel of a
/// picture. The block has so many threads along x and y.
inline TileDiagram square_tile(const Variant& kernel, int block_width, int block_height, int radius, Element element) {
  const int side = 2 * radius + 1;
  return {.title = std::string(kernel.name) + "   " + std::string(kernel.help),
          .block_width = block_width,
          .block_height = block_height,
          .left = radius,
          .right = radius,
          .above = radius,
          .below = radius,
          .value_bytes = element == Element::u8 ? 1 : 4,
          .window_values = side * side,
          .copied = "once for each channel"};
}

}  // namespace threadscape
