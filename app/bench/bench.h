#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape::app {

struct BenchOptions {
  std::vector<std::string> algorithms;           ///< empty = all
  std::vector<Backend> backends;                 ///< empty = those that are here
  std::vector<std::string> variants{"default"};  ///< or "all", or names
  std::vector<std::string> sizes;                ///< empty = 1024 and 4096, or those of the suite
  std::vector<int> threads;                      ///< of OpenMP; 0 = all; empty = all, or those of the suite
  std::vector<int> channels{1};
  std::vector<std::pair<std::string, std::string>> sets;
  std::filesystem::path preset;
  std::optional<int> repetitions;  ///< unset: SamplingRule's own, or the suite's
  std::optional<double> min_seconds, max_seconds;
  bool peers = false;
  std::uint64_t seed = 0;
  std::filesystem::path json, csv;
  std::string suite;  ///< name or file; "" = none
  bool list_suites = false;
  std::vector<std::filesystem::path> from;  ///< reports to plot instead of measuring
  std::filesystem::path plot;               ///< PNG; "" = none
  int plot_width = 960, plot_height = 640;  ///< of each plot in it
  bool quiet = false;
};

/// Measures, prints a table and writes the reports. Returns the exit code. Throws Error.
int bench(const BenchOptions& options);

}  // namespace threadscape::app
