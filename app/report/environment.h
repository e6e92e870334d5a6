#pragma once
// The program, machine and work behind a figure as JSON. Every report contains them, so that reports can be compared.

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "compute/core/params.h"
#include "compute/core/shape.h"
#include "compute/gpu/device.h"

namespace threadscape::app {

/// Sources that read or write JSON include <nlohmann/json.hpp>; headers do not, because it takes a second to compile.
using Json = nlohmann::ordered_json;

/// Version, git hash, compiler and flags of the program, date (UTC), load average, CPU, and the GPU that ran.
[[nodiscard]] Json environment_json(gpu::Device& device);
/// Model, cores, SIMD instruction set, and sizes of caches and memory in bytes.
[[nodiscard]] Json cpu_json();
/// Name, driver, memory and clocks of the GPU, or the reason why it cannot be used.
[[nodiscard]] Json gpu_json(gpu::Device& device);
[[nodiscard]] Json shape_json(const Shape& shape);
[[nodiscard]] Json params_json(const ParamBox& params);

/// A version number of CUDA as text: "13.2" for 13020, "none" for 0.
[[nodiscard]] std::string cuda_version_text(int version);

/// JSON as text for a file or stdout. Bytes that are no UTF-8, as file names may contain, are replaced.
[[nodiscard]] std::string dump(const Json& json);

}  // namespace threadscape::app
