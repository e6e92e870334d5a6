#pragma once
// What the blocks of a lesson show, computed on this machine: pictures of states, and counts of sketches.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/measure/chart.h"
#include "compute/core/data.h"
#include "compute/run/run_request.h"

namespace threadscape::app {

/// The run that a state describes, on the CPU if it asks for CUDA; its sketch is added to the registry. Throws
/// UsageError for an unknown algorithm, parameter, backend or variant.
[[nodiscard]] RunRequest run_of(const Lesson& lesson, const LessonState& state);
/// Throws UsageError for what the block names and is not there: files, parameters, figures.
void check_block(const Lesson& lesson, const LessonBlock& block);

/// Input and result of a state.
struct StatePictures {
  HostArray input, result;
};
/// Runs a state. Its input is the file that it names, or what the algorithm makes, or a synthetic picture of 256 x 192
/// pixels. Throws what a run throws.
[[nodiscard]] StatePictures run_state(const Lesson& lesson, const LessonState& state, const std::stop_token& stop);

/// A table with a head.
using TextTable = std::vector<std::vector<std::string>>;
/// Counts of sketches, a row for each, or for each line of the one sketch. Throws what a run of a sketch throws, and
/// Error with exit code 1 for a fault of a kernel.
[[nodiscard]] TextTable count_table(const Lesson& lesson, const LessonCounts& counts, const std::stop_token& stop);
/// What a block with measurements shows.
struct ReportFigures {
  std::vector<Chart> charts;
  TextTable table;       ///< Empty unless the block asks for it.
  std::string machines;  ///< "Measured on AMD EPYC (2 threads)."
};
/// Reads the measurements. Throws UsageError for a file that is no report, or has no rows, and EnvironmentError for one
/// that cannot be read.
[[nodiscard]] ReportFigures report_figures(const Lesson& lesson, const LessonReport& block);

/// The run of a sketch of a sweep with the parameters that do not vary; the sketch is added to the registry. Throws
/// what run_of() throws.
[[nodiscard]] RunRequest run_of_sweep(const Lesson& lesson, const LessonSweep& sweep, std::size_t sketch);
/// The chart of a sweep. Throws what count_table() throws.
[[nodiscard]] Chart sweep_chart(const Lesson& lesson, const LessonSweep& sweep, const std::stop_token& stop);

}  // namespace threadscape::app
