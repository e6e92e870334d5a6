#pragma once
// A suite: a table or a plot of some document, measured again. It is a JSON file that says what to measure (`series`),
// what the document states, and how both are drawn (`plots`). Those in assets/benchmarks come with the program;
// docs/benchmarks/README.md describes the format.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/bench_plan.h"

namespace threadscape::app {

/// Measures every combination of its lists.
struct SuiteGroup {
  std::string name;        ///< plots choose groups by it
  std::string label;       ///< of the line that a point belongs to, with placeholders: "{backend}, {params.shape}"
  std::string case_label;  ///< place on an axis of cases; "" = none
  const AlgorithmInfo* algorithm = nullptr;
  std::vector<ParamBox> params;  ///< one for every combination of what is swept
  std::vector<Backend> backends;
  std::vector<std::string> variants;
  std::vector<int> threads;  ///< of openmp; 0 = all
  std::vector<Extent> sizes;
  std::vector<int> channels;
  SamplingRule rule;
};

enum class PlotX : std::uint8_t { threads, size, pixels, cases, parameter };
enum class PlotY : std::uint8_t { milliseconds, speedup, efficiency, gigabytes };

/// What a document states, in the units of the plot. Positions are texts as the axis shows them.
struct DocumentLine {
  std::string label;
  std::vector<std::pair<std::string, double>> points;
};

struct SuitePlot {
  std::string title;
  PlotX x = PlotX::cases;
  std::string parameter;  ///< for PlotX::parameter
  std::string x_label;    ///< "" = made from x
  PlotY y = PlotY::milliseconds;
  std::string over;   ///< label of the line that speed-ups refer to, with placeholders
  bool bars = false;  ///< grouped bars instead of lines
  bool log_x = false, log_y = false;
  std::vector<std::string> groups;  ///< that it draws; empty = all
  std::vector<DocumentLine> documents;
};

struct Suite {
  std::string name, title, source, note;
  std::vector<SuiteGroup> groups;
  std::vector<SuitePlot> plots;
  Json definition;  ///< the file itself: reports carry it, so that they can be plotted anywhere
};

/// Reads a suite and checks all of it: names, parameters and their ranges, sizes. `file` is for messages. Throws
/// UsageError with the place in the file.
[[nodiscard]] Suite parse_suite(std::string_view json, const std::string& name, const std::string& file);
[[nodiscard]] Suite make_suite(Json definition, const std::string& name, const std::string& file);

/// Names of the suites that come with the program, sorted.
[[nodiscard]] std::vector<std::string> suite_names();
/// By name, or a file (anything with a dot or a slash). Throws UsageError, which lists the names; EnvironmentError when
/// the file cannot be read.
[[nodiscard]] Suite load_suite(const std::string& name_or_file);

/// What labels and axes can say about a point.
struct PointFacts {
  Backend backend = Backend::serial;
  std::string variant;
  int threads = 1;
  std::string size;  ///< "1920x1080"
  double items = 0;  ///< pixels, voxels or values
  int channels = 1;
  Json params;
};
[[nodiscard]] PointFacts facts_of(const BenchPoint& point);
/// A label with its placeholders filled in: {backend} {variant} {threads} {size} {channels} {case} {params.NAME}.
/// Throws UsageError for others.
[[nodiscard]] std::string expand(std::string_view label, const PointFacts& facts, std::string_view case_label);
/// A parameter as labels show it. Throws UsageError and lists those that there are.
[[nodiscard]] std::string parameter_text(const PointFacts& facts, const std::string& name);

/// Whether a plot draws a series.
[[nodiscard]] bool draws(const SuitePlot& plot, std::string_view group);
/// Where a point stands on the x axis of a plot, as text: "3", "1920x1080", "median 9x9".
[[nodiscard]] std::string place_text(const SuitePlot& plot, const PointFacts& facts, const std::string& case_label);

/// What --backends, --sizes and --threads leave of a suite. Throws UsageError when a list has nothing in common with
/// it.
void restrict_suite(Suite& suite, const BenchOptions& options);
/// All points, each once, however many groups ask for it; those that cannot run here say why.
[[nodiscard]] std::vector<PlannedPoint> plan(const Suite& suite, const BenchOptions& options);

/// Whether these options are for bench_suite().
[[nodiscard]] bool uses_suites(const BenchOptions& options);
/// `threadscape bench` with --suite, --list-suites or --from. Returns the exit code.
int bench_suite(const BenchOptions& options);

}  // namespace threadscape::app
