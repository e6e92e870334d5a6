#include "app/measure/prediction_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

constexpr double near = 0.4;  ///< An error that the share of rows is stated for.

std::string rows_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

/// "issue 12, DRAM 3" and so on, the most frequent first.
std::string list_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::size_t>::second);
  std::string text;
  for (const auto& [name, count] : sorted)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
  return text;
}

/// The errors of the rows of CUDA, or of those of the CPU, after a sentence that begins so.
std::string group_text(const Report& report, bool on_gpu, const char* beginning) {
  std::map<std::string, std::size_t> bounds;
  std::string where;
  std::vector<double> errors;
  std::size_t predicted = 0;
  for (const Measurement& row : report.rows) {
    if (row.predicted.ms <= 0.0 || (row.where.backend == Backend::cuda) != on_gpu) continue;
    ++predicted;
    ++bounds[row.predicted.bound];
    where = row.predicted.gpu;
    if (row.samples.median() > 0.0) errors.push_back(std::abs(row.prediction_error()));
  }
  if (predicted == 0) return {};
  std::string text = beginning + where + ": " + rows_text(predicted) + ", bound by " + list_text(bounds) + ".\n";
  if (errors.empty()) return text + "None of them was measured.\n";
  const auto within = static_cast<std::size_t>(std::ranges::count_if(errors, [](double e) { return e <= near; }));
  const double percent = 100.0;
  return text + "The median error of " + rows_text(errors.size()) + " is " +
         format_number(percent * median_of(errors), 2) + " %, the largest " +
         format_number(percent * *std::ranges::max_element(errors), 2) + " %; within " +
         format_number(percent * near, 2) + " % are " + std::to_string(within) + " of " +
         std::to_string(errors.size()) + " (" +
         format_number(percent * static_cast<double>(within) / static_cast<double>(errors.size()), 3) + " %).\n";
}

}  // namespace

std::string prediction_text(const Report& report) {
  std::string text = group_text(report, true, "Predicted from counts, before any is measured, for ") +
                     group_text(report, false, "Predicted from runs on parts, before any is measured, for ");
  std::map<std::string, std::size_t> reasons;
  for (const Measurement& row : report.rows)
    if (!row.predicted.why_none.empty()) ++reasons[row.predicted.why_none];
  for (const auto& [reason, count] : reasons)
    text += rows_text(count) + " without a prediction: " + reason + "\n";
  return text;
}

}  // namespace threadscape::app
