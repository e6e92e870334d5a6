#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape::app {

struct BenchOptions {
  std::vector<std::string> algorithms;           ///< empty = all
  std::vector<Backend> backends;                 ///< empty = those that are here
  std::vector<std::string> variants{"default"};  ///< or "all", or names
  std::vector<std::string> sizes{"1024", "4096"};
  std::vector<int> threads{0};  ///< of OpenMP; 0 = all
  std::vector<int> channels{1};
  std::vector<std::pair<std::string, std::string>> sets;
  std::filesystem::path preset;
  int repetitions = 15;
  double min_seconds = 0.3;
  double max_seconds = 20.0;
  bool peers = false;
  std::uint64_t seed = 0;
  std::filesystem::path json, csv;
  bool quiet = false;
};

/// Measures, prints a table and writes the reports. Returns the exit code. Throws Error.
int bench(const BenchOptions& options);

}  // namespace threadscape::app
