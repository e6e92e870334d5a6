#pragma once
// The options that state which algorithm runs with which parameters on which input, and their conversion to a
// RunRequest. app/cli/shared_options.h fills AlgorithmOptions from the command line.

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
  std::optional<Backend> backend;                         ///< Backend of the run; unset = chosen by the command.
  std::string variant;                                    ///< Name of the variant; "" = the default of the backend.
  int threads = 0;                                        ///< Number of OpenMP threads; 0 = all hardware threads.
  std::vector<std::pair<std::string, std::string>> sets;  ///< Names and values of parameters, in order of assignment.
  std::filesystem::path preset;  ///< JSON file of parameters, applied before `sets`; "" = none.
  std::uint64_t seed = 0;
  gpu::Device* device = nullptr;      ///< Device of the CUDA backend; null = the first one that runs this build.
  std::vector<gpu::Device*> devices;  ///< Several devices among which runs are divided; empty = `device` alone.
  /// The algorithm of a session file and its parameters, which take the place of the defaults; null = none.
  const AlgorithmInfo* session_algorithm = nullptr;
  ParamBox session_params;
};

/// The parameters of a run: those of the session, or the defaults and what the input's file states, then the preset,
/// then the sets, where later ones take precedence. A preset is a JSON object of parameters, or an object with them
/// under "params" as
/// --timings writes it. Throws UsageError, and EnvironmentError when the preset cannot be read.
[[nodiscard]] ParamBox make_params(const AlgorithmInfo& algorithm, const AlgorithmOptions& options,
                                   const io::Settings& file = {});
/// The run that the options describe, on `default_backend` if they name none. Throws UsageError, and BackendAbsent if
/// the chosen backend does not exist on this machine.
[[nodiscard]] RunRequest make_request(const AlgorithmOptions& options, Backend default_backend);

/// Kind, element type and extents for an input file that does not state them: those of the input that the algorithm
/// would make itself, else only the kind.
[[nodiscard]] Shape wanted_input(const RunRequest& request);
/// Reads the input of a run from `path`, or lets the algorithm make it if `path` is empty. Throws UsageError if the
/// algorithm takes no input but a path is given, or makes none and no path is given; EnvironmentError if the file
/// cannot be read.
[[nodiscard]] io::Loaded load_input(const RunRequest& request, const std::filesystem::path& path,
                                    const io::LoadOptions& options);

}  // namespace threadscape::app
