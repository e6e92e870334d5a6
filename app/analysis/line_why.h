#pragma once
// Says in words what the lines of kernels cost, from counts of a run that was executed warp by warp. Each sentence
// cites a line with its count, and each rule has a threshold that is stated here.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "compute/warp/counts.h"

namespace threadscape::app {

/// The counts of a kernel by the lines of the file that it is written in.
struct KernelCounts {
  std::string file;  ///< The name as sentences have it.
  std::map<int, warp::Counts> lines;
};

struct LineSentence {
  std::string text;
  std::size_t kernel = 0;  ///< Among those that were given.
  int line = 0;            ///< The line that is cited.
};

/// Thresholds of the rules.
struct LineWhyLimits {
  static constexpr double conflicts = 0.1;   ///< From this share of the shared wavefronts on, conflicts are named.
  static constexpr double sectors = 1.5;     ///< From so many times the sectors that the bytes would fill on.
  static constexpr double lanes = 28;        ///< Fewer active lanes of an instruction are named.
  static constexpr double collisions = 1.0;  ///< From so many collisions of an atomic operation on.
};

/// The sentences of all rules that apply to the kernels together, and in the end the line with the most instructions.
/// Each cites the line of which the count is largest. Empty if nothing was counted.
[[nodiscard]] std::vector<LineSentence> line_why(const std::vector<KernelCounts>& kernels);

}  // namespace threadscape::app
