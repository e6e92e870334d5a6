#pragma once
// The figures of a report as a text table and as CSV. Their columns are declared in columns.cpp.

#include <string>

#include "app/measure/report_file.h"

namespace threadscape::app {

/// A table with a row for every measurement, without the columns that no row has, and below it the limits, and what
/// happened while the samples were taken.
[[nodiscard]] std::string report_table(const Report& report);
[[nodiscard]] std::string report_csv(const Report& report);

}  // namespace threadscape::app
