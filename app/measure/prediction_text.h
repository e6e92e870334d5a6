#pragma once
// How far predicted times are from measured ones.

#include <string>

#include "app/measure/report_file.h"

namespace threadscape::app {

/// The errors of a report whose rows have predicted times, what binds the rows, and why others have none, in sentences;
/// "" if no time was to be predicted.
[[nodiscard]] std::string prediction_text(const Report& report);

}  // namespace threadscape::app
