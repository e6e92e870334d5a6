#pragma once
// Inputs from files in other sizes.

#include "compute/core/data.h"

namespace threadscape::app {

/// The input resampled to another shape of the same kind, element and channels: the nearest neighbour of every value.
/// Throws UsageError for a mesh of another shape, because a mesh has no neighbours to take.
[[nodiscard]] HostArray resampled(HostIn input, const Shape& shape);

}  // namespace threadscape::app
