#pragma once

#include <cstddef>

#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"
#include "compute/registry/algorithm.h"

namespace threadscape::morphology {

[[nodiscard]] std::size_t reconstruct_bytes(int height);

/// Reconstruction by dilation, on the CPU. The samples of `marker` grow: each becomes the largest of its eight
/// neighbours of the same channel, but never more than `original`, until nothing changes. Channel 3 of 4 is taken from
/// the original. `memory` holds reconstruct_bytes(). The result does not depend on the order, so neither on `threads`.
void reconstruct(const HostRun& run, Element element, int channels, int width, int height, Samples original,
                 Samples marker, int threads, std::byte* memory);

}  // namespace threadscape::morphology
