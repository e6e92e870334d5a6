#pragma once
// The plots of measurements as numbers and texts, made from results of `bench`: of this session, and of files from any
// machine.

#include <string>
#include <vector>

#include "app/analysis/roofline.h"
#include "app/analysis/why.h"
#include "app/analysis/win_matrix.h"
#include "app/measure/chart.h"
#include "app/measure/columns.h"
#include "app/measure/report_file.h"

namespace threadscape::app {

/// All results that are plotted together. The first report is that of this session, the others come from files. All
/// their rows were measured.
using LabReports = std::vector<Report>;

/// Medians by number of items, both axes logarithmic, a line for each backend, variant and number of threads. Places
/// are marked where the fastest lines of two backends cross. With `figure`, that column of the reports is drawn in the
/// place of the medians, without marks.
[[nodiscard]] Chart times_by_size(const LabReports& reports, const Column* figure = nullptr);
/// Medians or `figure` by the values of a parameter. If some are no numbers, they are categories, in the order of the
/// rows.
[[nodiscard]] Chart times_by_parameter(const LabReports& reports, const std::string& parameter,
                                       const Column* figure = nullptr);
/// Speed-up by number of threads with the ideal line and the law of Amdahl; `efficiency` divides by the number.
[[nodiscard]] Chart speed_ups(const LabReports& reports, bool efficiency);
/// Items per second by number of threads over those of one thread, for inputs that grow with the threads, with the law
/// of Gustafson.
[[nodiscard]] Chart weak_scaling(const LabReports& reports);
/// How the stages of runs are drawn.
struct StageView {
  bool transfers = true;  ///< With upload and download; if false, only the computation.
  bool shares = true;     ///< Each bar is 100 % of its total; if false, bars are as long as their times.
};
/// Upload, compute and download of each row, stacked. In the place of "compute" are the stages of its run if the report
/// states them, scaled so that together they last as long as the median of the runs without clocks.
[[nodiscard]] Chart stages(const LabReports& reports, const StageView& view);
/// Operations per second by operations per byte. Rows on this machine's CPU are under its ceilings: those of one thread
/// for rows on one thread, those of all threads for the others. Rows on the GPU are under the ceilings of the GPU that
/// their report states, rows of other reports and of older ones under the plain copy that was measured with them. Rows
/// whose algorithm does not state its operations, and rows without a copy, are left out, and notes say how many.
[[nodiscard]] Chart roofline(const LabReports& reports, const HostRooflines& ceilings);
/// Which backend wins, by algorithm with parameters, and size.
[[nodiscard]] WinMatrix winners(const LabReports& reports);

/// The row whose samples the histogram shows: the last one that is no peer's, of the first report that has rows; null
/// if there is none.
[[nodiscard]] const Measurement* last_row(const LabReports& reports);
/// The row that the sentences below a chart explain: of those that it draws, the last one that is no peer's, of the
/// first report that has one; null if there is none. `hidden` says for each line whether the legend has switched it
/// off; it may be empty.
[[nodiscard]] const Measurement* explained_row(const LabReports& reports, const Chart& chart,
                                               const std::vector<bool>& hidden = {});
/// The facts about a row of the reports, together with the rows of the same work on other numbers of threads.
/// `physical_cores` are those of this machine, on which the rows of the first report ran.
[[nodiscard]] WhyFacts why_facts(const LabReports& reports, const Measurement& row, int physical_cores);

}  // namespace threadscape::app
