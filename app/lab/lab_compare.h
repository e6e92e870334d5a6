#pragma once
// The comparison of two reports in the lab: for each work that both have measured, whether it became faster or slower,
// with the ratio of the times and its interval, as `bench --compare` states them.

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/bench_compare.h"
#include "app/measure/plot_data.h"

namespace threadscape::app {

class LabComparison {
 public:
  /// Compares again. Call it when rows or reports were added, and when reports were removed. Sides that are gone are
  /// chosen anew: the first two reports with rows, an opened one before that of this session.
  void update(const LabReports& reports);
  /// Draws the lists that choose both sides. Returns true if another side was chosen, and compares again then.
  bool draw_sides(const LabReports& reports);
  /// Draws the table, or a sentence that says what is missing.
  void draw(ImVec2 size) const;

  /// What is compared; none where there are no two reports with a common row.
  [[nodiscard]] const std::optional<ComparisonReport>& report() const { return report_; }
  /// The verdicts counted, the rule behind them, and what could not be paired.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// A table with a row for each pair, which pandas.read_csv() reads as it is.
  [[nodiscard]] std::string csv() const;

 private:
  void compare(const LabReports& reports);

  std::optional<std::size_t> before_, after_;  ///< Indices of the reports.
  std::optional<ComparisonReport> report_;
  std::vector<std::string> names_;  ///< Names of the rows of report_, as short as they still differ.
  std::string trouble_;             ///< Why there is no comparison; "" if there is one.
};

}  // namespace threadscape::app
