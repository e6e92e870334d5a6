#pragma once
// The kernels of a sketch beside those of another algorithm: times in turns where there is a GPU, and counts where the
// machine of warps executes both.

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/sketch_file.h"
#include "compute/sketch/kernels.h"

namespace threadscape::app {

struct ComparisonRequest {
  const AlgorithmInfo* row = nullptr;  ///< That of the sketch.
  SketchCheck check;    ///< Names the other side and its parameters; variant, seeds and threads are not used.
  std::string variant;  ///< The variant of the other side on CUDA; "" for its default.
  Shape input;          ///< Empty for a sketch that reads nothing.
  std::uint64_t seed = 0;
  int rounds = 12;                                                 ///< Samples of each side.
  std::uint64_t instructions = sketch::MachineRun{}.instructions;  ///< A run that has more of them has no counts.
};

/// A count of both sides for each value of the result.
struct ComparedCount {
  std::string_view title;
  double of_sketch = 0, of_other = 0;
};

struct SketchComparison {
  std::string sketch, other;  ///< The names of the two, with the variant of the other if it has several.
  Shape input, result;
  std::string where;                        ///< The GPU of the times; "" if there are none.
  std::vector<double> sketch_ms, other_ms;  ///< Each is the median of a group of runs; the groups were made in turns.
  std::string why_no_times;                 ///< A sentence, where there are none.
  std::vector<ComparedCount> counts;        ///< Where there are no times.
};

/// The input of a sketch for a size: a picture, a cube of voxels, or as many numbers, or words of a mesh, as the
/// picture has pixels. Empty for a sketch that reads nothing.
[[nodiscard]] Shape shape_for(const sketch::DataType& reads, std::int64_t width, std::int64_t height);

/// Runs both sides on the same synthetic input. Where both can run on the GPU they are timed there in turns, without
/// transfers; the sketch runs in a process of its own. Otherwise the machine of warps executes both and counts. Throws
/// UsageError for a side that does not take the input or has no kernels, BackendAbsent where this build has no kernels
/// of the other side, Cancelled, and what a run throws.
[[nodiscard]] SketchComparison compare_kernels(const ComparisonRequest& request, const std::stop_token& stop = {});

}  // namespace threadscape::app
