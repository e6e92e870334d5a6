#pragma once

#include <filesystem>

#include "app/session/run_options.h"

namespace threadscape::app {

struct RunOptions {
  AlgorithmOptions run;
  std::filesystem::path input;
  std::filesystem::path output;
  std::filesystem::path timings;  ///< JSON; "" = none
  io::LoadOptions load;
  bool quiet = false;
};

/// File in, file out. Returns the exit code; throws Error and then leaves no file behind.
int run(const RunOptions& options);

}  // namespace threadscape::app
