#pragma once
// What a GPU has counted, in words.

#include <string>
#include <vector>

#include "compute/run/kernel_counters.h"

namespace threadscape::app {

/// Up to four sentences for each kernel: its instructions, global memory, shared memory, and what its warps wait for.
/// Then one about launches that were not counted, or about why nothing was.
[[nodiscard]] std::vector<std::string> counter_sentences(const cuda::CountedRun& run);

/// For each kernel of both runs a sentence with those of their figures that do not depend on the size of the input:
/// what the GPU has counted, and beside it what the CPU has counted warp by warp.
[[nodiscard]] std::vector<std::string> beside_sentences(const cuda::CountedRun& gpu, const cuda::CountedRun& cpu);

}  // namespace threadscape::app
