#pragma once
// The form of reports in files. A report has so many samples that a line for each of them would hide everything else.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace threadscape::app {

/// A report as text for a file or stdout. Its members, their members, and the elements of its lists of objects (the
/// measured results) have a line each. What is deeper does not break the line, and neither does a list of numbers or
/// texts (the samples). Bytes that are no UTF-8, as file names may contain, are replaced.
[[nodiscard]] std::string report_text(const nlohmann::ordered_json& report);

}  // namespace threadscape::app
