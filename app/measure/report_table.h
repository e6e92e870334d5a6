#pragma once
// The figures of a report as a text table and as CSV. Their columns are declared in columns.cpp.

#include <cstddef>
#include <string>
#include <vector>

#include "app/measure/report_file.h"

namespace threadscape::app {

/// The table of report_table(), with its head, and the first column of numbers.
struct ReportCells {
  std::vector<std::vector<std::string>> rows;
  std::size_t first_number = 0;
};
[[nodiscard]] ReportCells report_cells(const Report& report);
/// What stands below the table but the parts of speed-ups: the limits, and what happened while the samples were taken,
/// one sentence a line.
[[nodiscard]] std::string report_notes(const Report& report);
/// A table with a row for every measurement, without the columns that no row has, and below it the limits, and what
/// happened while the samples were taken.
[[nodiscard]] std::string report_table(const Report& report);
[[nodiscard]] std::string report_csv(const Report& report);

}  // namespace threadscape::app
