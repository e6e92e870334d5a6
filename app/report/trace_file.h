#pragma once
// A timeline as the JSON of Chrome's trace viewer, which Perfetto (ui.perfetto.dev) shows as well.

#include <filesystem>
#include <functional>
#include <string>

#include "compute/core/trace.h"

namespace threadscape::app {

/// An object with "traceEvents": a complete event ("ph": "X") for each event, with its times in microseconds, and the
/// names of the rows ("ph": "M").
[[nodiscard]] std::string trace_json(const trace::Timeline& timeline);

/// Calls `work`, and writes what the program has done meanwhile to a file, unless that is "". Throws EnvironmentError
/// if the file cannot be written, before `work` begins where that is known then.
int traced(const std::filesystem::path& file, const std::function<int()>& work);

}  // namespace threadscape::app
