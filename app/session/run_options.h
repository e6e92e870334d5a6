#pragma once
// What the commands share: which algorithm, on what, how. Filled by app/cli/cli.cpp.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/io/data_file.h"
#include "compute/run/runner.h"

namespace threadscape::app {

struct AlgorithmOptions {
  std::string algorithm;
  std::optional<Backend> backend;                         ///< unset: the command chooses
  std::string variant;                                    ///< "" = the backend's default
  int threads = 0;                                        ///< of OpenMP; 0 = all
  std::vector<std::pair<std::string, std::string>> sets;  ///< --set key=value, in their order
  std::filesystem::path preset;                           ///< JSON file of parameters, applied before `sets`; "" = none
  std::uint64_t seed = 0;
};

/// The defaults, then what the input's file says, then the preset, then the sets. A preset is an object of parameters,
/// or an object with them under "params" as --timings writes it. Throws UsageError / EnvironmentError.
[[nodiscard]] ParamBox make_params(const AlgorithmInfo& algorithm, const AlgorithmOptions& options,
                                   const io::Settings& file = {});
/// All of the options; `otherwise` is the backend when none was asked for. Throws UsageError; BackendAbsent when the
/// asked backend does not exist here.
[[nodiscard]] RunRequest make_request(const AlgorithmOptions& options, Backend otherwise);

/// What the input's kind, numbers and extents are where its file does not say: of what the algorithm makes itself.
[[nodiscard]] Shape wanted_input(const RunRequest& request);
/// What an algorithm works on: a file, or without a path the input that it makes itself. Refused when it takes none,
/// required when it makes none. Throws UsageError, and EnvironmentError when the file cannot be read.
[[nodiscard]] io::Picture load_input(const RunRequest& request, const std::filesystem::path& path,
                                     const io::LoadOptions& options);

}  // namespace threadscape::app
