#pragma once
// Where a figure was measured: written into every report, so that two of them can be compared.

#include <nlohmann/json.hpp>

#include "compute/core/params.h"
#include "compute/core/shape.h"
#include "compute/core/timings.h"

namespace threadscape::app {

using Json = nlohmann::ordered_json;

/// Version, git hash, compiler, flags, CPU, GPU, driver, date (UTC), load average.
[[nodiscard]] Json environment_json();
[[nodiscard]] Json cpu_json();
[[nodiscard]] Json gpu_json();
[[nodiscard]] Json shape_json(const Shape& shape);
[[nodiscard]] Json params_json(const ParamBox& params);

/// 13020 -> "13.2"; 0 -> "none".
[[nodiscard]] std::string cuda_version_text(int version);

/// JSON as text for a file or stdout; bytes that are no UTF-8 (odd file names) are replaced, not fatal.
[[nodiscard]] std::string dump(const Json& json);

}  // namespace threadscape::app
