#pragma once
// What the microscope found, as tables and as JSON.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "compute/run/kernel_counters.h"
#include "compute/run/observation.h"

namespace threadscape::app {

struct MicroscopeReport {
  std::string title;           ///< A line about the run of an algorithm; "" for a kernel of a file.
  std::filesystem::path file;  ///< The file that was given; "" for an algorithm.
  std::string source;          ///< Its text.
  std::string compiler;        ///< Compiled::compiler.
  const warp::GpuModel* gpu = nullptr;
  std::vector<ObservedKernel> kernels;  ///< The kernels in the order of their first launches.
  cuda::CountedRun counters = {};       ///< What a GPU has counted for them, if that was asked for.
  [[nodiscard]] bool has_faults() const;
};

/// A table of each kernel, where each figure is counted, modelled or unknown, with the figures of the GPU, and its
/// faults; with `lines` a table of the source's lines.
[[nodiscard]] std::string microscope_text(const MicroscopeReport& report, bool lines);
/// JSON with the keys that docs/MICROSCOPE.md describes. Rates are in percent; what is unknown is null.
[[nodiscard]] std::string microscope_json(const MicroscopeReport& report);

}  // namespace threadscape::app
