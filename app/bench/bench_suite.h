#pragma once
// A suite repeats the measurements behind a table or plot of a document. It is a JSON file that states what to measure
// (`series`), the document's figures, and how both are drawn (`plots`). The program comes with the suites in
// assets/benchmarks; docs/benchmarks/SUITES.md describes the format.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/bench_plan.h"
#include "app/measure/chart.h"
#include "app/measure/columns.h"

namespace threadscape::app {

/// An entry of `series`: every combination of its lists is a point that is measured.
struct SuiteGroup {
  std::string name;   ///< Name by which plots choose the group.
  std::string label;  ///< Label of the line that a point belongs to, with placeholders: "{backend}, {params.shape}".
  std::string case_label;  ///< Position on an axis of cases, with placeholders; "" = none.
  const AlgorithmInfo* algorithm = nullptr;
  std::vector<ParamBox> params;  ///< The parameters for every combination of the swept values.
  std::vector<Backend> backends;
  std::vector<std::string> variants;
  std::vector<int> threads;  ///< Numbers of OpenMP threads; 0 = all hardware threads.
  std::vector<Extent> sizes;
  std::vector<int> channels;
  SamplingRule rule;
};

enum class PlotY : std::uint8_t { milliseconds, speedup, efficiency, gigabytes, operations, figure };
/// Which time of a run counts: that of the computation, that with allocation and transfers, or both in lines of their
/// own. Only runs on the GPU have transfers, so the runs on the CPU have one line.
enum class PlotTransfers : std::uint8_t { without, with, beside };

/// Figures that a document states, in the units of the plot. Each point has its position as text, as the axis shows it.
struct DocumentLine {
  std::string label;
  std::vector<std::pair<std::string, double>> points;
};

struct SuitePlot {
  std::string title;
  std::string x = "case";  ///< The fact about a point that its position on the x axis is.
  std::string x_label;     ///< Label of the x axis; "" = a label that is made from `x`.
  PlotY y = PlotY::milliseconds;
  const Column* figure = nullptr;  ///< The column of reports on the y axis, for PlotY::figure.
  PlotTransfers transfers = PlotTransfers::without;
  std::string over;  ///< Label of the line that speed-ups refer to, with placeholders.
  /// If true, a speed-up refers to the point of that line with the most threads, otherwise to the one with one thread.
  bool over_all_threads = false;
  bool bars = false;  ///< If true, the plot shows grouped bars; otherwise it shows lines.
  bool log_x = false, log_y = false;
  bool fit = false;  ///< If true, latency and bandwidth are fitted to every line, and the model is drawn beside it.
  std::vector<std::string> groups;  ///< Names of the groups that the plot draws; empty = all.
  std::vector<DocumentLine> documents;
};

struct Suite {
  std::string name, title, source, note;
  std::vector<SuiteGroup> groups;
  std::vector<SuitePlot> plots;
  /// The contents of the file. Reports contain them, so that they can be plotted on any machine.
  std::shared_ptr<const Json> definition;
};

/// Parses a suite and checks all of it, including the names, parameters and sizes of every point. `file` names the file
/// in messages. Throws UsageError with the place in the file.
[[nodiscard]] Suite parse_suite(std::string_view json, const std::string& name, const std::string& file);
[[nodiscard]] Suite make_suite(const Json& definition, const std::string& name, const std::string& file);
/// The suite of a report, which an earlier version may have written: series of algorithms and variants that this
/// program does not have are left out, and so are plots without any series. Throws UsageError as parse_suite() does.
[[nodiscard]] Suite make_reported_suite(const Json& definition, const std::string& name, const std::string& file);

/// Returns whether a JSON file states a suite. Throws UsageError if the text is no JSON.
[[nodiscard]] bool is_suite(std::string_view json, const std::string& file);

/// Names of the suites that come with the program, sorted.
[[nodiscard]] std::vector<std::string> suite_names();
/// Loads a suite by its name, or from a file if the text contains a dot or a slash. Throws UsageError, which lists the
/// names, and EnvironmentError if the file cannot be read.
[[nodiscard]] Suite load_suite(const std::string& name_or_file);

/// A fact about a point that is known before it is measured, as text: "3", "1920x1080", "median 9x9". Names are "size",
/// "pixels", "case", "params.NAME", and the columns of reports that are not measured, such as "threads" and "backend".
/// Throws UsageError for other names, with a list of the known ones.
[[nodiscard]] std::string fact_text(const std::string& name, const Measurement& row, std::string_view case_label);
/// Replaces the placeholders of a label, which are names of facts in braces: "{backend}, {params.shape}". Throws
/// UsageError for other placeholders.
[[nodiscard]] std::string expand(std::string_view label, const Measurement& row, std::string_view case_label);

/// Returns whether a plot draws the group with this name.
[[nodiscard]] bool draws(const SuitePlot& plot, std::string_view group);

/// Removes from a suite the backends, sizes and numbers of threads that --backends, --sizes and --threads do not name.
/// Throws UsageError for a value that no group of the suite has.
void restrict_suite(Suite& suite, const BenchOptions& options);
/// All points of a suite. A point that several groups ask for is measured once and has a tag for each. Points that
/// cannot run on this machine carry the reason.
[[nodiscard]] std::vector<PlannedPoint> plan(const Suite& suite, const BenchOptions& options);

/// Returns whether the options ask for bench_suite() rather than for the plain benchmark.
[[nodiscard]] bool uses_suites(const BenchOptions& options);
/// Runs `threadscape bench` with --suite, --list-suites or --from. Returns the exit code.
int bench_suite(const BenchOptions& options);

/// Throws what draw_plots() would throw on this machine: UsageError for files of other kinds, EnvironmentError if the
/// file cannot be written, or if it is a picture and there is no OpenGL.
void check_plot(const BenchOptions& options);
/// Prints the charts as tables if `tables` is set, and draws them into a file; "" for none.
void show_charts(const BenchOptions& options, const ChartPage& page, const std::filesystem::path& plot, bool tables);

}  // namespace threadscape::app
