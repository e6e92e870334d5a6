#pragma once
// Runs from files to files: what `threadscape run` does for one input, and its batch for each of several.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/report/environment.h"
#include "app/report/long_task.h"
#include "app/session/elapsed.h"
#include "app/session/run_options.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// The options of `threadscape run`.
struct RunOptions {
  AlgorithmOptions run;
  std::vector<AlgorithmOptions> then;   ///< The steps that follow, each on the result of the step before.
  std::vector<std::string> then_names;  ///< The names of the algorithms in `then`, as they are parsed.
  std::filesystem::path steps_out;      ///< Folder for the result of every step; "" = none.
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;   ///< A file, a folder, a name with {name}, or "-"; "" = none.
  std::filesystem::path timings;  ///< JSON file for the times; "" = none.
  std::filesystem::path trace;    ///< JSON file for the timeline; "" = none.
  io::LoadOptions load;
  /// Frames a second at which numbered pictures and cameras are read; 0 means 25, or the rate that the camera chooses.
  double frames_per_second = 0;
  std::int64_t frames = 0;  ///< At most so many frames of a moving input; 0 = all.
  int quality = 0;          ///< The quality of written JPEG and WebP files, 1..100; 0 means the default of the format.
  bool memory = false;      ///< If true, a limit of memory is stated, for which runs may be cut.
  bool keep_going = false;  ///< If true, a batch goes on with the next input after one that failed.
  bool quiet = false;
};

/// Time in milliseconds for reading and writing files.
struct FileTimes {
  double load_ms = 0.0, save_ms = 0.0;
};

/// A finished run.
struct FinishedRun {
  RunRequest request;  ///< The request, including the parameters that the input file states.
  Shape input;
  io::FileColour colour = io::FileColour::grey;
  RunResult result;
  /// The shape of a result that went to its file while it was made, so that `result` has none; otherwise Shape{}.
  Shape streamed = {};
  FileTimes files;
  std::string report;                    ///< The report of the algorithm about the result; "" if it has none.
  io::Settings given = {};               ///< What the input states for parameters.
  io::PictureFacts facts = {};           ///< What the file of a picture states beside its pixels.
  Shape handed_on = {};                  ///< The shape of a result that the next step took; otherwise Shape{}.
  std::filesystem::path step_file = {};  ///< The file in RunOptions::steps_out; "" if there is none.
  std::vector<FinishedRun> before = {};  ///< The earlier steps of a list in their order, without their results.
  [[nodiscard]] const Shape& output_shape() const {
    if (handed_on.kind != Kind::none) return handed_on;
    return streamed.kind == Kind::none ? result.output.shape() : streamed;
  }
};

/// Returns true if the path is that of a folder; false also where it cannot be read.
[[nodiscard]] bool is_folder(const std::filesystem::path& path);

/// The input of a run, and how long reading took.
struct LoadedInput {
  io::Loaded picture;
  double load_ms = 0.0;
  HostIn lent = {};  ///< Data that others own, in place of the pixels of the picture; without memory = none.
  [[nodiscard]] HostIn view() const { return lent.data != nullptr ? lent : picture.pixels.view(); }
};
/// Reads the input of a run, or makes it if the path is empty. Throws Error.
[[nodiscard]] LoadedInput read_input(const RunOptions& options, const RunRequest& request,
                                     const std::filesystem::path& input, const LongTask& task);

/// Runs the algorithm that the options name on an input that is in memory. Throws Error.
[[nodiscard]] FinishedRun run_loaded(const AlgorithmOptions& options, RunRequest request, const LoadedInput& input,
                                     Runner& runner, LongTask& task);

/// Reads the input and runs the algorithm. A volume that does not fit into memory, or whose parameter `slab` says so,
/// is read in slabs during the run. Throws Error.
[[nodiscard]] FinishedRun run_file(const RunOptions& options, RunRequest request, const std::filesystem::path& input,
                                   LongTask& task);

/// Returns true if the result is to be made while it is written: if it does not fit into memory, and algorithm, backend
/// and format allow that.
[[nodiscard]] bool wants_streaming(const RunRequest& request, const std::filesystem::path& output);
/// Makes the result and writes it to the file, layer by layer. The time of both is that of the computation. Throws
/// Error.
[[nodiscard]] FinishedRun run_streamed(const RunRequest& request, const std::filesystem::path& output, LongTask& task);

/// Runs a picture in strips of rows, if RunOptions::memory is set and it does not fit into memory together with its
/// result: reads, computes and writes one strip after another. Says before how much memory and disk that takes. Nothing
/// if the picture fits, or if its file is read as a whole, which a note says. Throws Error, also for what cannot be
/// cut.
[[nodiscard]] std::optional<FinishedRun> run_strips(const RunOptions& options, RunRequest request,
                                                    const std::filesystem::path& input,
                                                    const std::filesystem::path& output, LongTask& task);

/// Runs a volume in slabs of layers, if RunOptions::memory is set and it does not fit into memory together with its
/// result: the result is computed while it is written. Otherwise equal to run_strips(). Algorithms with the LayersFacet
/// read their input in slabs themselves.
[[nodiscard]] std::optional<FinishedRun> run_slabs(const RunOptions& options, RunRequest request,
                                                   const std::filesystem::path& input,
                                                   const std::filesystem::path& output, LongTask& task);

/// The colour type of the file that the result is written to.
[[nodiscard]] io::FileColour colour_of(const FinishedRun& run);
/// Writes the result to a file, with the colour type of the input's file, and notes how long that took. Throws Error.
void save_result(const RunOptions& options, FinishedRun& run, const std::filesystem::path& output);

/// The run as JSON: algorithm, parameters, shapes, files, and the stages in milliseconds.
[[nodiscard]] Json run_json(const FinishedRun& run, const std::filesystem::path& input,
                            const std::filesystem::path& output);

/// The run in a line: algorithm, backend, shape of the result, time.
[[nodiscard]] std::string run_line(const FinishedRun& run);

}  // namespace threadscape::app
