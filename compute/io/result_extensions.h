#pragma once

#include <string>
#include <vector>

#include "compute/core/shape.h"

namespace threadscape::io {

/// The extensions of the files that data of this shape can be written to, the usual one first, as far as the shape
/// tells. Empty for kinds without a file format.
[[nodiscard]] std::vector<std::string> extensions_that_hold(const Shape& shape);

}  // namespace threadscape::io
