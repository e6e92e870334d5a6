#pragma once
// What a suite's plots show, as numbers: made from the reports that `bench --suite NAME --json FILE` writes, of one
// machine or of several. Nothing here draws.

#include <optional>
#include <string>
#include <vector>

#include "app/bench/bench_suite.h"

namespace threadscape::app {

struct ChartLine {
  std::string label;               ///< names the machine, too, where there are several
  std::string series;              ///< the suite's label
  std::optional<Backend> backend;  ///< none: what a document states
  std::vector<double> x, y;        ///< by rising x; x counts the categories where the chart has some
  std::string absent;              ///< why there are no points, or ""
  [[nodiscard]] bool is_document() const { return !backend.has_value(); }
};

struct Chart {
  std::string title, x_label, y_label;
  PlotY quantity = PlotY::milliseconds;
  bool bars = false, log_x = false, log_y = false;
  std::vector<std::string> categories;  ///< of the x axis; empty = it is an axis of numbers
  std::vector<ChartLine> lines;
  std::vector<std::string> notes;  ///< what was left out and why; what a figure refers to
  bool by_threads = false;         ///< speed-up or efficiency by threads: there is an ideal
};

struct ChartPage {
  std::string title, source, note;
  std::vector<std::string> machines;
  std::vector<Chart> charts;
};

/// Speed-ups refer to the point of the line `over` that does the same work on one thread, on the same machine if it was
/// measured there. Throws UsageError for reports that are not what bench_json() writes.
[[nodiscard]] ChartPage make_charts(const Suite& suite, const std::vector<Json>& reports);

/// A number on an axis: 3, 0.31, 3264.
[[nodiscard]] std::string axis_text(double value);
/// The same as text: a row for every x, a column for every line.
[[nodiscard]] std::string chart_tables(const ChartPage& page);

}  // namespace threadscape::app
