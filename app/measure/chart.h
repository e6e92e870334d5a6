#pragma once
// A chart as numbers and texts: what the lab, suites and comparisons of machines draw. Drawing it is in chart_svg.h
// and, with ImPlot, in plot/chart_plot.h; chart_text.h writes it as tables.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape::app {

struct Measurement;

/// A line with a marker at every point, or the bars of one colour.
struct ChartLine {
  std::string label;
  std::string series = {};  ///< The series of a suite that the line belongs to; "" outside of suites.
  std::optional<Backend> backend = {};
  /// Coordinates of the points. If the chart has categories, x is an index into them.
  std::vector<double> x = {}, y = {};
  /// The ends of the 95 % interval of each y, and its number of samples; empty for what has no samples.
  std::vector<double> low = {}, high = {};
  std::vector<std::size_t> count = {};
  /// If true, the values are figures of a source document or of a model, which are drawn dashed and hollow, in the
  /// colour of the measured line of the same series.
  bool stated = false;
  std::string absent = {};  ///< The reason why the line has no points; "" if it has some.
  /// Report, algorithm, parameters and numbers: lines with equal work can be compared. "" for a line of a peer, with
  /// which no backend crosses.
  std::string work = {};
  /// The measurement of each point, which lives in the reports that the chart was made of; empty for what is no row.
  std::vector<const Measurement*> rows = {};
};

/// A place in a chart that is marked and named, such as a cross-over.
struct ChartMark {
  double x = 0.0, y = 0.0;
  std::string label;
};

/// Lines; a group of bars for each category; bars of which each is stacked from the lines; the bins of a histogram.
enum class ChartStyle : std::uint8_t { lines, bars, stacked, histogram };

struct Chart {
  std::string title, x_label = {}, y_label = {};
  ChartStyle style = ChartStyle::lines;
  bool log_x = false, log_y = false;
  bool joined = true;     ///< If false, the points of a line are not joined, since nothing lies between them.
  bool shares = false;    ///< If true, stacked bars are drawn as shares of their total.
  std::string unit = {};  ///< What stands behind the values of bars: "x" for speed-ups.
  std::vector<std::string> categories = {};  ///< Labels at x = 0, 1, ...; empty if the axis has numbers.
  std::vector<ChartLine> lines = {};
  std::vector<ChartLine> guides = {};  ///< Lines that are not measured: ideal, fit, ceiling.
  std::vector<ChartMark> marks = {};
  std::vector<std::string> notes = {};  ///< Sentences below: the fit with its uncertainty, what is missing and why.
};

/// The charts of a suite, with what stands above them.
struct ChartPage {
  std::string title, source, note;
  std::vector<std::string> machines = {};
  std::vector<Chart> charts = {};
};

}  // namespace threadscape::app
