#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/backend.h"
#include "compute/gpu/device.h"
#include "compute/warp/prediction.h"

namespace threadscape::app {

/// The name that stands for all suites, and the seconds that they may take unless the options say otherwise.
inline constexpr std::string_view all_suites = "all";
inline constexpr double all_suites_seconds = 1200.0;

/// The options of `threadscape bench`.
struct BenchOptions {
  std::vector<std::string> algorithms;           ///< Names of the algorithms; empty = all.
  std::vector<Backend> backends;                 ///< Backends to measure; empty = those that exist on this machine.
  std::vector<std::string> variants{"default"};  ///< Names of variants, "default" or "all".
  /// Input sizes as "N" or "WxH"; empty = 1024 and 4096 (sequences: 2^20 and 2^24), or those of the suite.
  std::vector<std::string> sizes;
  /// Numbers of OpenMP threads, where 0 means all hardware threads; empty = 0 alone, or those of the suite.
  std::vector<int> threads;
  /// File with the input of all algorithms, resampled to the sizes if there are any; "" = inputs of the sizes are made.
  std::filesystem::path input;
  std::vector<int> channels{1};  ///< Numbers of channels for algorithms on pictures: 1 = grey, 4 = RGBA.
  std::vector<std::pair<std::string, std::string>> sets;  ///< Names and values of parameters.
  std::string sweep_name;                 ///< The parameter that takes each of sweep_values in turn; "" = none.
  std::vector<std::string> sweep_values;  ///< The values of the swept parameter, in the order of the measurement.
  std::filesystem::path preset;           ///< JSON file of parameters; "" = none.
  /// Minimum number of samples of a figure; unset = the default of SamplingRule, or the suite's.
  std::optional<int> repetitions;
  /// Limits of the time per figure in seconds; unset = the defaults of SamplingRule, or the suite's.
  std::optional<double> min_seconds, max_seconds;
  /// If true, peers (other libraries, such as OpenCV) are measured in turns with the algorithms of the program.
  bool peers = false;
  gpu::Device* device = nullptr;  ///< Device of the CUDA backend; null = the first one that runs this build.
  /// Several devices: CUDA rows are whole runs on 1, 2, ... of them, from host memory to host memory; empty = none.
  std::vector<gpu::Device*> devices;
  std::uint64_t seed = 0;           ///< Seed of the random numbers that the synthetic input is made of.
  std::filesystem::path json, csv;  ///< Files for the report; "" = none.
  std::filesystem::path trace;      ///< JSON file for the timeline; "" = none.
  std::string suite;                ///< Name or file of a suite, or "all"; "" = none.
  /// Seconds that the measurement of the suites may take; unset = any, but all_suites_seconds for "all".
  std::optional<double> budget;
  /// If true, serial, the variant `loops` and the default variant of openmp are measured on one thread and on all.
  bool split = false;
  bool routes = false;                      ///< If true, each route of the default variants is forced in turn.
  bool list_suites = false;                 ///< If true, the suites are printed and nothing is measured.
  std::vector<std::filesystem::path> from;  ///< JSON reports to show instead of measuring.
  std::filesystem::path plot;               ///< PNG or SVG file for the plots; "" = none.
  int plot_width = 960, plot_height = 640;  ///< Size of each plot of a PNG in pixels.
  bool quiet = false;
  bool counters = false;  ///< If true, the counters of the GPU are read for CUDA rows.
  /// If true, the times of CUDA rows are predicted before they are measured: for `predict_gpu`, or if that is unset for
  /// the GPU that measures.
  bool predict = false;
  std::optional<warp::GpuRates> predict_gpu;
  std::vector<std::filesystem::path> compare;  ///< Two JSON reports to compare instead of measuring; empty = none.
  /// The second side of a measurement in turns: changes "NAME=VALUE" of a parameter, `variant`, `backend` or
  /// `threads`, or the path of another build of this program; empty = none.
  std::vector<std::string> against;
  std::vector<std::string> fail_on;  ///< Verdicts in lower case that a comparison must not contain.
  std::optional<double> effect;      ///< Smallest change that counts as a fraction; unset = that of VerdictRule.
  /// The half width that the interval of a median should not exceed, as a fraction of it; unset = any.
  std::optional<double> precision;
  bool cold = false;                ///< If true, the caches of the CPU are emptied before every run.
  std::vector<std::string> limits;  ///< Limits "NAME=N" that this process has, for the other processes of `against`.
};

/// Measures what the options ask for, prints a table and writes the reports; or does so for a suite. Returns the exit
/// code. Throws Error.
int bench(const BenchOptions& options);

}  // namespace threadscape::app
