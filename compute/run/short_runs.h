#pragma once
// On how many threads short runs are made that come again and again, as those of a moving picture or of a loop in
// Python do. To wake all threads may take longer than their share of the work.

#include <limits>
#include <string>

#include "compute/core/thread_choice.h"
#include "compute/run/run_request.h"

namespace threadscape {

/// The choice for requests of the OpenMP backend that leave the number of threads open. It is measured in the runs
/// themselves, once for each series of runs that differ at most in their values, seed and frame.
class ShortRuns {
 public:
  /// `most` is the number of threads that a run takes until fewer are known to be faster, at least 1.
  explicit ShortRuns(int most) : most_(most), choice_(most) {}

  /// The number of threads for the next run. All other requests keep the number that threads_of() says.
  [[nodiscard]] int threads(const RunRequest& request, const Shape& input);
  /// States what the run that threads() was asked for last has taken.
  void took(double milliseconds);

 private:
  /// What the runs of a series have in common.
  struct Series {
    const AlgorithmInfo* algorithm = nullptr;
    ParamBox params;
    int variant = 0;
    std::string route;
    Shape input;
  };
  [[nodiscard]] bool goes_on(const RunRequest& request, const Shape& input) const;

  int most_;
  Series series_;
  ThreadChoice choice_;
  bool asked_ = false;                                        ///< The last request was one of this series.
  int runs_ = 0;                                              ///< Runs that were made on choice_.threads() threads.
  double best_ms_ = std::numeric_limits<double>::infinity();  ///< The shortest of these runs.
};

}  // namespace threadscape
