#pragma once
// How the plots of the lab put the rows of reports into lines, and name them.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/measure/plot_data.h"

namespace threadscape::app {

/// What tells the lines of a plot apart. A fact that all rows share is left out of the labels.
struct LineKey {
  std::size_t report = 0;
  std::string algorithm, params, variant;
  std::string numbers;  ///< Element type and channels of the input.
  Backend backend = Backend::serial;
  int threads = 1;
  bool cold = false;
  bool peer = false;  ///< If true, `variant` is the name of another library.
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes a 0 in the generated comparison for a null pointer.
  auto operator<=>(const LineKey&) const = default;
};

using Lines = std::map<LineKey, std::vector<const Measurement*>>;

/// Rows of all reports in lines. Threads and parameters in `except` do not tell lines apart.
[[nodiscard]] Lines lines_of(const LabReports& reports, bool by_threads, const std::set<std::string>& except);
/// Short labels for the keys of all lines.
[[nodiscard]] std::map<LineKey, std::string> labels_of(const Lines& lines, const LabReports& reports);

}  // namespace threadscape::app
