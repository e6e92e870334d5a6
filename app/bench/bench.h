#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape::app {

/// The options of `threadscape bench`.
struct BenchOptions {
  std::vector<std::string> algorithms;           ///< Names; empty = all.
  std::vector<Backend> backends;                 ///< Empty = those that exist on this machine.
  std::vector<std::string> variants{"default"};  ///< Names, "default" or "all".
  std::vector<std::string> sizes;  ///< "N" or "WxH"; empty = 1024 and 4096 (sequences: 2^20 and 2^24), or the suite's.
  std::vector<int> threads;        ///< Thread counts of OpenMP, 0 = all; empty = all, or the suite's.
  std::vector<int> channels{1};    ///< 1 = grey, 4 = RGBA; for algorithms on pictures.
  std::vector<std::pair<std::string, std::string>> sets;  ///< Parameters by name.
  std::filesystem::path preset;                           ///< JSON file of parameters; "" = none.
  std::optional<int> repetitions;                         ///< Unset = SamplingRule's default, or the suite's.
  std::optional<double> min_seconds, max_seconds;         ///< Unset = SamplingRule's defaults, or the suite's.
  bool peers = false;      ///< Whether the libraries to compare with, such as OpenCV, are measured in turns with ours.
  std::uint64_t seed = 0;  ///< Seed of the random numbers that the synthetic input is made of.
  std::filesystem::path json, csv;          ///< Files for the report; "" = none.
  std::string suite;                        ///< Name or file of a suite; "" = none.
  bool list_suites = false;                 ///< Print the suites instead of measuring.
  std::vector<std::filesystem::path> from;  ///< Reports that are plotted instead of measuring.
  std::filesystem::path plot;               ///< PNG file for the plots of the suite; "" = none.
  int plot_width = 960, plot_height = 640;  ///< Size of each plot in pixels.
  bool quiet = false;
};

/// Measures, prints a table and writes the reports, or does so for a suite. Returns the exit code. Throws Error.
int bench(const BenchOptions& options);

}  // namespace threadscape::app
