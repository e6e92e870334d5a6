#pragma once
// Files of sketches as algorithms, and how far their results are from those of the program.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "compute/run/observation.h"
#include "compute/run/runner.h"
#include "compute/run/similarity.h"
#include "compute/sketch/sketch.h"

namespace threadscape::app {

/// Returns true if a name in place of an algorithm's is that of a sketch: if it ends in .cu or .cpp.
[[nodiscard]] bool names_sketch(const std::string& name);
/// Reads a file and adds the sketch in it to the registry. Nothing is compiled. Throws UsageError, and EnvironmentError
/// for a file that cannot be read.
const AlgorithmInfo& open_sketch(const std::filesystem::path& file);
/// The name of the algorithm that a command takes: that of the added row if `name` is the file of a sketch, else
/// `name`.
[[nodiscard]] std::string algorithm_of(const std::string& name);

/// Runs the kernels of a sketch, and returns what they have done; the run and the device of the request are not used.
/// Throws UsageError for a twin, and what compiling and running a sketch throws. Faults of kernels are in the
/// observation, and one that leaves values of the result unwritten is not an error here.
[[nodiscard]] Observation observe_sketch(const ParamBox& params, std::uint64_t seed, const ObserveRequest& request,
                                         HostIn input, const std::stop_token& stop = {});
/// The run of the algorithm that a sketch names as making equal results, by its serial code, for these parameters of
/// the sketch. Nothing if it names none, or another sketch. Throws UsageError for what the algorithm does not take.
[[nodiscard]] std::optional<RunRequest> reference_run(const AlgorithmInfo& row, const ParamBox& params);

struct SketchCheck {
  std::string algorithm;  ///< The algorithm of the program; "" for the one that the sketch names.
  /// Values of parameters: each is one of the sketch, of the algorithm, or of both.
  std::vector<std::pair<std::string, std::string>> sets;
  std::optional<ParamBox> params = {};  ///< Those of the sketch; its defaults otherwise.
  std::uint64_t seeds = 3;              ///< Inputs of each shape.
  int threads = 0;
  int variant = 0;  ///< The index of the variant on openmp that the sketch runs with, 0 for its default.
};

/// The algorithm with which a sketch is compared. One that is a sketch itself is added to the registry. Throws
/// UsageError if neither the check nor the sketch names one.
[[nodiscard]] const AlgorithmInfo& checked_algorithm(const sketch::Sketch& sketch, const SketchCheck& check);
/// The run of that algorithm by its serial code. `own` are the parameters of the sketch, which get the values that the
/// check states. Throws UsageError for parameters that one of the two does not take.
[[nodiscard]] RunRequest checked_run(const AlgorithmInfo& algorithm, const SketchCheck& check, ParamBox& own);
/// What a sketch is compared with, and the parameters of both: the defaults with the values that the check states, and,
/// for the algorithm that the head names, those that the head states.
struct SketchPair {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox own, other;
};
/// Throws UsageError for a row that is no sketch, if neither the check nor the sketch names an algorithm, and for
/// values that a parameter does not take.
[[nodiscard]] SketchPair paired(const AlgorithmInfo& sketch, const SketchCheck& check);

/// What is found for one input.
struct SketchCheckRow {
  const AlgorithmInfo* algorithm = nullptr;  ///< What the sketch is compared with.
  Shape input, result;
  std::uint64_t seed = 0;
  std::int64_t wrong = 0;  ///< Values that differ by more than the algorithm tolerates of its own backends.
  Similarity difference;
};

/// Runs a sketch and the serial code of the algorithm on fresh inputs of several shapes and compares the results.
/// Shapes that one of the two refuses are left out; throws UsageError if none is left. The result of the sketch is
/// written into memory that held other bytes, and the reference is computed afterwards from inputs that the sketch
/// never had.
[[nodiscard]] std::vector<SketchCheckRow> check_sketch(const AlgorithmInfo& sketch, const SketchCheck& check,
                                                       const std::stop_token& stop = {});

}  // namespace threadscape::app
