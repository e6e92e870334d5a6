#pragma once
// The plots of a suite as numbers and texts, made from the reports that `bench --suite NAME --json FILE` writes, of one
// machine or of several. Drawing them is in bench_plot.h.

#include <optional>
#include <string>
#include <vector>

#include "app/bench/bench_suite.h"

namespace threadscape::app {

struct ChartLine {
  std::string label;   ///< Label in the legend: the series, and the machine if there are several.
  std::string series;  ///< Label of the series in the suite.
  /// The backend that was measured; unset for figures that a document states, and for those of a model.
  std::optional<Backend> backend;
  /// Coordinates of the points in ascending order of x. If the chart has categories, x is an index into them.
  std::vector<double> x, y;
  /// The ends of the 95 % interval of each y, and its number of samples; empty for lines of documents and of models.
  std::vector<double> low = {}, high = {};
  std::vector<std::size_t> count = {};
  std::string absent;  ///< The reason why the line has no points; "" if it has some.
  /// If true, the values of the line are figures from a source document or of a model; otherwise `bench` has measured
  /// them.
  [[nodiscard]] bool is_document() const { return !backend.has_value(); }
};

struct Chart {
  std::string title, x_label, y_label;
  PlotY quantity = PlotY::milliseconds;
  bool bars = false, log_x = false, log_y = false;
  std::vector<std::string> categories;  ///< Labels of the x axis in order; empty if the axis has numbers.
  std::vector<ChartLine> lines;
  /// Sentences on the points that were left out and why, and on what speed-ups refer to.
  std::vector<std::string> notes;
  /// If true, the chart shows speed-up or efficiency over the number of threads, and draws the ideal line as well.
  bool by_threads = false;
};

struct ChartPage {
  std::string title, source, note;
  std::vector<std::string> machines;
  std::vector<Chart> charts;
};

/// Makes the charts of a suite. A speed-up refers to the point of the line SuitePlot::over with the same algorithm,
/// parameters and input on one thread, from the same report if it is in there.
[[nodiscard]] ChartPage make_charts(const Suite& suite, const std::vector<Report>& reports);

/// Formats a number as axes show it: 3, 0.31, 3264.
[[nodiscard]] std::string axis_text(double value);
/// Formats the charts as text tables, with a row for every x and a column for every line.
[[nodiscard]] std::string chart_tables(const ChartPage& page);

}  // namespace threadscape::app
