#pragma once
// The kernels of CUDA results in reports and in words.

#include <string>

#include "app/measure/json_node.h"
#include "app/report/environment.h"
#include "compute/run/kernel_facts.h"

namespace threadscape::app {

/// The kernels of a result as a JSON array of objects.
[[nodiscard]] Json kernels_json(const cuda::Kernels& kernels);
/// Reads what kernels_json() has made. Throws UsageError for values that no kernel has.
[[nodiscard]] cuda::Kernels parse_kernels(const JsonNode& node);
/// A kernel in one sentence: its launches, blocks and threads, what a thread and a block take, and the occupancy that
/// this allows.
[[nodiscard]] std::string kernel_sentence(const cuda::KernelFacts& kernel);

}  // namespace threadscape::app
