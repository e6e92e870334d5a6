#pragma once
// What the lines of kernels do whose times the lab shows: they are executed on the CPU, warp by warp, and counted.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/live/live_view.h"
#include "app/measure/measurement.h"
#include "app/shell/desk.h"

namespace threadscape::app {

/// A sentence that cites a line of a kernel.
struct CitedLine {
  std::string text;
  KernelLine place;
};
struct CountedLines {
  std::string input;  ///< What was counted on: "512x512 8-bit grey image".
  std::vector<CitedLine> lines;
  cuda::CountedRun run = {};  ///< The counts of the kernels, as a GPU's would be named.
};

/// The sentences on a run that was observed.
[[nodiscard]] CountedLines counted_lines(const ObservedRun& run, const AlgorithmInfo& algorithm, int variant);
/// The run of CUDA that a row has measured, on an input of at most 512 pixels a side, or 65,536 values, or 32 voxels a
/// side, of which the counts are those of large inputs. Nothing for rows of other backends, for peers, and for
/// algorithms and parameters that this version of the program does not have.
[[nodiscard]] std::optional<std::pair<ObservedWork, std::shared_ptr<const Source>>> observed_row(
    const Measurement& row);

class LabCounts {
 public:
  /// The sentences on the kernels of a row; null while they are not known. Begins to count them unless another row is
  /// being counted. Rows without kernels have no sentences.
  const CountedLines* of(const Measurement& row);
  /// The sentences on the sketch whose result is displayed; null while they are not known, and if there is none.
  const CountedLines* of_sketch(const LiveView& live);
  [[nodiscard]] bool running() const { return counter_ != nullptr || awaits_sketch_; }
  /// Ends what is being counted.
  void stop() { counter_.reset(); }

 private:
  void take();

  std::unique_ptr<RunObserver> counter_;  ///< Null while nothing is being counted.
  std::string counting_;                  ///< Measurement::key() of what is being counted.
  ObservedWork work_;
  std::shared_ptr<const Source> source_;
  std::map<std::string, CountedLines> known_;  ///< By Measurement::key().
  std::shared_ptr<const ObservedRun> sketch_run_;
  CountedLines sketch_lines_;
  bool awaits_sketch_ = false;  ///< The displayed sketch is being observed.
};

}  // namespace threadscape::app
