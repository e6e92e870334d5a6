#pragma once
// `threadscape run` for several inputs: files are read and written while others are computed.

#include <filesystem>
#include <vector>

#include "app/cli/run_files.h"

namespace threadscape::app {

/// Returns true if the options ask for a batch: several inputs, a folder of pictures as the input, or an output that is
/// a folder or contains {name}.
[[nodiscard]] bool is_batch(const RunOptions& options, const AlgorithmInfo& algorithm);

/// An input of a batch and where its result goes; an empty output means that only the report is wanted.
struct BatchFile {
  std::filesystem::path input, output;
};

/// The files of a batch. Folders of pictures stand for the pictures in them, in the order of their names. Results are
/// named after their inputs, with the input's extension if the result can be written in that format, else with the
/// first extension of the result's formats; {name} in the output stands for the input's name without extension. An
/// output that ends with / is made if it does not exist. `algorithm` takes the inputs and `last`, which is another one
/// for a list of steps, makes the results. Throws UsageError for outputs that collide with each other or
/// with an input, and EnvironmentError.
[[nodiscard]] std::vector<BatchFile> plan_batch(const RunOptions& options, const AlgorithmInfo& algorithm,
                                                const AlgorithmInfo& last);

/// Runs the step, or the list of steps, on every input: one thread reads ahead, one writes, and the caller computes.
/// Prints a line for each file and a summary. An input that fails ends the batch, or with `keep_going` is reported on
/// stderr and left out. Returns the exit code: that of the first failure, else 0. Throws Error.
int run_batch(const RunOptions& options, const std::vector<RunRequest>& steps);

}  // namespace threadscape::app
