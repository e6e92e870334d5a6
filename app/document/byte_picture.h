#pragma once
// Data with rows and columns as pictures of bytes.

#include <cstdint>

#include "compute/core/data.h"

namespace threadscape::app {

/// A picture of bytes as it is, and of other numbers in the range from the least to the greatest. A picture of which a
/// side is longer than `longest` is averaged in square blocks; 0 keeps any size.
[[nodiscard]] HostArray byte_picture(HostIn picture, std::int64_t longest = 0);

}  // namespace threadscape::app
