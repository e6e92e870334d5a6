#pragma once

#include <cstddef>

#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"
#include "compute/registry/algorithm.h"

namespace threadscape::morphology {

[[nodiscard]] std::size_t reconstruct_bytes(int height);

/// Reconstruction by dilation on the CPU. The samples of `marker` grow: each becomes the maximum of its eight
/// neighbours of the same channel, limited by `original`, until nothing changes. Channel 3 of 4 is copied from the
/// original. `memory` holds reconstruct_bytes(). The result does not depend on the order, and so not on `threads`.
void reconstruct(const HostRun& run, Element element, int channels, int width, int height, Samples original,
                 Samples marker, int threads, std::byte* memory);

}  // namespace threadscape::morphology
