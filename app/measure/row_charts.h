#pragma once
// The charts that show what reports have measured, chosen by what varies in them.

#include <vector>

#include "app/measure/plot_data.h"

namespace threadscape::app {

/// For each algorithm a chart for each of sizes, threads and a parameter that vary, or else a bar for each row. Reports
/// without a measured row have none. The charts do not refer to the reports.
[[nodiscard]] std::vector<Chart> charts_of_rows(const LabReports& reports);
/// The charts with the names of the reports and their machines above them.
[[nodiscard]] ChartPage chart_page_of_rows(const LabReports& reports);

}  // namespace threadscape::app
