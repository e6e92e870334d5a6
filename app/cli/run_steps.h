#pragma once
// `threadscape run` with a list of steps: each algorithm works on the result of the one before.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/run_files.h"
#include "compute/core/clip_window.h"

namespace threadscape::app {

/// The requests of the algorithm and of all steps that follow it (RunOptions::then), on OpenMP unless the options name
/// a backend. Throws UsageError with the number of the step and its name: for an unknown algorithm, for parameters, and
/// for an algorithm that does not take what the step before makes. With `moving`, steps that take clips are allowed to
/// get pictures, one after another.
[[nodiscard]] std::vector<RunRequest> make_steps(const RunOptions& options, bool moving);

/// What the steps of a run on a moving picture keep from frame to frame: for every step that takes clips, the newest
/// frames that it has got; nothing for all others. A step uses as many frames as its parameters say.
using StepWindows = std::vector<std::optional<ClipWindow>>;
[[nodiscard]] StepWindows make_windows(const std::vector<RunRequest>& steps);

/// Throws UsageError with the number of the step and its name if a step does not take the shape that it would get from
/// an input of this shape, which states `given` for parameters. With `moving`, pictures become clips where a step takes
/// clips. Nothing is computed.
void check_shapes(const RunOptions& options, const std::vector<RunRequest>& steps, const Shape& input,
                  const io::Settings& given, bool moving = false);

/// Runs the steps that follow the finished first one. Returns the last step with the others in FinishedRun::before.
/// With RunOptions::steps_out every result is written there, named after `stem` (which may be empty), the number of the
/// step and its algorithm. `windows` is empty, or that of make_windows() for a moving picture. Throws Error.
[[nodiscard]] FinishedRun run_following(const RunOptions& options, const std::vector<RunRequest>& steps,
                                        FinishedRun first, const std::string& stem, Runner& runner, LongTask& task,
                                        std::span<std::optional<ClipWindow>> windows = {});

/// Checks the shapes, and runs all steps on an input that is in memory, which is freed after the first one. `windows`
/// is that of run_following().
[[nodiscard]] FinishedRun run_steps(const RunOptions& options, const std::vector<RunRequest>& steps, LoadedInput input,
                                    const std::string& stem, Runner& runner, LongTask& task,
                                    std::span<std::optional<ClipWindow>> windows = {});

/// The names of the algorithms in the order of the steps: "diamond_square, thermal_erosion, slope".
[[nodiscard]] std::string names_of(const std::vector<RunRequest>& steps);
/// The time of all steps of a list, without files, in milliseconds.
[[nodiscard]] double total_ms(const FinishedRun& last);
/// The list as JSON: run_json() of each step and the sums of the stages.
[[nodiscard]] Json steps_json(const FinishedRun& last, const std::filesystem::path& input,
                              const std::filesystem::path& output);

}  // namespace threadscape::app
