#pragma once
// A report for readers: machine, inputs, pictures, charts, tables, what the figures mean, and how to repeat them.

#include <filesystem>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/measure/report_file.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

struct ReportParts {
  std::string title;                    ///< "" for one that says what was measured.
  std::vector<std::string> facts = {};  ///< What is open, a sentence or a line each.
  std::vector<DocumentPicture> pictures = {};
  std::vector<DocumentTable> tables = {};
  std::vector<Report> reports = {};        ///< Measurements, each with its machine.
  std::vector<std::string> commands = {};  ///< Those that make the pictures again.
};

/// The charts of the suites that the reports were measured for, as they state them, and those that follow from what
/// varies in the other reports. The charts do not refer to the reports.
[[nodiscard]] std::vector<Chart> charts_of(const std::vector<Report>& reports);
[[nodiscard]] Document report_document(ReportParts parts);
/// The command that computes a result, with the parameters that are not the defaults.
[[nodiscard]] std::string run_command(const AlgorithmInfo& algorithm, const ParamBox& params, Backend backend,
                                      int variant, const std::filesystem::path& input);
/// The commands that measure the rows of a report again: one for a suite, or for each algorithm with the sizes,
/// backends, variants, threads and parameters of its rows.
[[nodiscard]] std::vector<std::string> bench_commands(const Report& report);

}  // namespace threadscape::app
