#pragma once
// What the microscope found, as tables and as JSON.

#include <filesystem>
#include <string>

#include "compute/warp/study.h"

namespace threadscape::app {

struct MicroscopeReport {
  std::string kernel;          ///< The name that is shown.
  std::filesystem::path file;  ///< The file that was given.
  std::string source;          ///< Its text.
  std::string compiler;        ///< Compiled::compiler.
  const warp::Module* module = nullptr;
  warp::Extent grid, block;
  const warp::GpuModel* gpu = nullptr;
  warp::Study study;
};

/// A table of the kernel, where each figure is counted, modelled or unknown, and its faults; with `lines` a table of
/// the source's lines.
[[nodiscard]] std::string microscope_text(const MicroscopeReport& report, bool lines);
/// JSON with the keys that docs/MICROSCOPE.md describes. Rates are in percent; what is unknown is null.
[[nodiscard]] std::string microscope_json(const MicroscopeReport& report);

}  // namespace threadscape::app
