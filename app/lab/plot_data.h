#pragma once
// The plots of the lab as numbers and texts, made from results of `bench`: of this session, and of files from any
// machine. Drawing them is in lab_plots.h, writing them to files in plot_export.h.

#include <string>
#include <vector>

#include "app/analysis/roofline.h"
#include "app/analysis/why.h"
#include "app/analysis/win_matrix.h"
#include "app/measure/report_file.h"
#include "app/window/frame_costs.h"

namespace threadscape::app {

/// A line with a marker at every measured point. The ends of the 95 % interval of a median are `low` and `high`;
/// `count` is its number of samples. Lines without a marker have neither.
struct PlotLine {
  std::string label;
  Backend backend = Backend::serial;
  std::vector<double> x, y, low = {}, high = {};
  std::vector<std::size_t> count = {};
  /// Report, algorithm, parameters and numbers: lines with equal work can be compared. "" for a line of a peer, with
  /// which no backend crosses.
  std::string work = {};
};

/// A place in a plot that is marked and named, such as a cross-over.
struct PlotMark {
  double x = 0.0, y = 0.0;
  std::string label;
};

enum class PlotStyle : std::uint8_t { lines, stacked, bars };

struct PlotData {
  std::string title, x_label, y_label;
  PlotStyle style = PlotStyle::lines;
  bool log_x = false, log_y = false;
  bool joined = true;   ///< If false, the points of a line are not joined, since nothing lies between them.
  bool shares = false;  ///< If true, stacked bars are drawn as shares of their total.
  std::vector<std::string> categories = {};  ///< Labels at x = 0, 1, ...; empty if the axis has numbers.
  std::vector<PlotLine> lines = {};
  std::vector<PlotLine> guides = {};  ///< Lines that are not measured: ideal, fit, ceiling.
  std::vector<PlotMark> marks = {};
  std::vector<std::string> notes = {};  ///< Sentences below the plot: the fit with its uncertainty, what is missing.
};

/// All results that are plotted together. The first report is that of this session, the others come from files. All
/// their rows were measured.
using LabReports = std::vector<Report>;

/// Medians by number of items, both axes logarithmic, a line for each backend, variant and number of threads. Places
/// are marked where the fastest lines of two backends cross.
[[nodiscard]] PlotData times_by_size(const LabReports& reports);
/// Medians by the values of a parameter. If some are no numbers, they are categories, in the order of the rows.
[[nodiscard]] PlotData times_by_parameter(const LabReports& reports, const std::string& parameter);
/// Speed-up by number of threads with the ideal line and the law of Amdahl; `efficiency` divides by the number.
[[nodiscard]] PlotData speed_ups(const LabReports& reports, bool efficiency);
/// Items per second by number of threads over those of one thread, for inputs that grow with the threads, with the law
/// of Gustafson.
[[nodiscard]] PlotData weak_scaling(const LabReports& reports);
/// How the stages of runs are drawn.
struct StageView {
  bool transfers = true;  ///< With upload and download; if false, only the computation.
  bool shares = true;     ///< Each bar is 100 % of its total; if false, bars are as long as their times.
};
/// Upload, compute and download of each row, stacked. In the place of "compute" are the stages of its run if the report
/// states them, scaled so that together they last as long as the median of the runs without clocks.
[[nodiscard]] PlotData stages(const LabReports& reports, const StageView& view);
/// Operations per second by operations per byte. Rows on this machine's CPU are under its ceilings: those of one thread
/// for rows on one thread, those of all threads for the others. Rows on the GPU are under the ceilings of the GPU that
/// their report states, rows of other reports and of older ones under the plain copy that was measured with them. Rows
/// whose algorithm does not state its operations, and rows without a copy, are left out, and notes say how many.
[[nodiscard]] PlotData roofline(const LabReports& reports, const HostRooflines& ceilings);
/// How many samples of a set lie in each of 40 intervals between its minimum and its 99th percentile, with marks at
/// percentiles. Samples are in milliseconds; empty gives an empty plot.
[[nodiscard]] PlotData histogram(const std::string& title, std::vector<double> samples);
/// The histogram of a part of the window's frames, with a note on the median and the 99th percentile of every part.
[[nodiscard]] PlotData frame_histogram(const FrameCosts& costs, FramePart part);
/// Which backend wins, by algorithm with parameters, and size.
[[nodiscard]] WinMatrix winners(const LabReports& reports);

/// The row that the sentences of why() explain, and whose samples the histogram shows: the last one that is no
/// peer's, of the first report that has rows; null if there is none.
[[nodiscard]] const Measurement* explained_row(const LabReports& reports);
/// The facts about explained_row(), together with the rows of the same work on other numbers of threads.
[[nodiscard]] WhyFacts why_facts(const LabReports& reports, int physical_cores);

}  // namespace threadscape::app
