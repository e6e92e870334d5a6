#pragma once
// Projection of a volume file that need not fit into memory.

#include <stop_token>

#include "compute/core/progress.h"
#include "compute/io/volume_file.h"
#include "compute/projection/projection.h"

namespace threadscape::projection {

/// The views of a file on the CPU, slab by slab: while one slab is projected the next one is read. In memory are two
/// slabs (params.slab layers each, 0 = by size), one more as columns of voxels, and the result. Throws UsageError for
/// what projection refuses, EnvironmentError for a file that cannot be read, Cancelled.
[[nodiscard]] HostArray project_file(const Projection::Params& params, io::VolumeReader& file, int threads,
                                     const std::stop_token& stop = {}, Progress* progress = nullptr);

}  // namespace threadscape::projection
