// Tests of the charts that make_charts() builds. The reports are written by hand here, not measured.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "app/bench/suite_charts.h"
#include "app/measure/chart_text.h"
#include "compute/core/errors.h"

namespace threadscape::app {
namespace {

struct Sample {
  std::string group, label, case_label, backend;
  int threads;
  int size;
  double milliseconds;
  std::string skipped = "";
};

Json report_of(const std::vector<Sample>& samples, const std::string& cpu = "CPU A", const std::string& gpu = "") {
  Json report{{"environment", {{"cpu", {{"model", cpu}, {"logical_cores", 8}}}, {"gpu", Json::object()}}}};
  if (!gpu.empty()) report["environment"]["gpu"]["name"] = gpu;
  report["results"] = Json::array();
  for (const Sample& sample : samples) {
    const Json shape{{"kind", "image"},      {"element", "u8"}, {"channels", 1},
                     {"width", sample.size}, {"height", 100},   {"depth", 1}};
    Json result{{"algorithm", "median"},
                {"backend", sample.backend},
                {"variant", "default"},
                {"threads", sample.threads},
                {"input", shape},
                {"output", shape},
                {"params", {{"size", 3}, {"case", sample.case_label}}}};
    result["series"].push_back({{"group", sample.group}, {"label", sample.label}, {"case", sample.case_label}});
    if (sample.skipped.empty()) {
      result["compute_ms"]["samples"] = {sample.milliseconds};
      result["gb_s"] = 2.0 / sample.milliseconds;
      if (sample.backend == "cuda") {
        result["allocation_ms"]["samples"] = {1.0};
        result["upload_ms"]["samples"] = {2.0};
        result["download_ms"]["samples"] = {3.0};
      }
    } else {
      result["skipped"] = sample.skipped;
    }
    report["results"].push_back(result);
  }
  return report;
}

Suite suite_with(const SuitePlot& plot) {
  Suite suite;
  suite.title = "Title";
  suite.source = "Source";
  suite.groups.resize(1);
  suite.groups[0].name = "g";
  suite.plots = {plot};
  return suite;
}

ChartPage page_of(const SuitePlot& plot, const std::vector<Json>& reports) {
  std::vector<Report> parsed;
  for (const Json& report : reports)
    parsed.push_back(parse_reports(report.dump(), "x.json").front());
  return make_charts({.suite = suite_with(plot), .reports = std::move(parsed)});
}

Chart chart_of(const SuitePlot& plot, const std::vector<Json>& reports) {
  return page_of(plot, reports).charts.at(0);
}

const ChartLine& line(const Chart& chart, const std::string& label) {
  const auto found = std::ranges::find(chart.lines, label, &ChartLine::label);
  if (found == chart.lines.end()) throw std::runtime_error("no line '" + label + "'");
  return *found;
}

const std::vector<Sample> scaling{{"g", "loops", "", "openmp", 4, 50, 3.0},
                                  {"g", "loops", "", "openmp", 1, 50, 9.0},
                                  {"g", "loops", "", "openmp", 2, 50, 5.0},
                                  {"g", "loops", "", "openmp", 16, 50, 0.0, "more threads than the 8 of this machine"}};

TEST(SuiteCharts, SpeedUpAndEfficiencyReferToOneThread) {
  SuitePlot plot{
      .title = "t", .x = "threads", .x_label = "", .y = PlotY::speedup, .over = "loops", .groups = {}, .documents = {}};
  const Chart speedup = chart_of(plot, {report_of(scaling)});
  EXPECT_EQ(line(speedup, "loops").x, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(line(speedup, "loops").y, (std::vector<double>{1.0, 9.0 / 5.0, 3.0}));
  ASSERT_EQ(speedup.guides.size(), 1u) << "what perfect scaling would give";
  EXPECT_EQ(speedup.guides[0].y, (std::vector<double>{1.0, 2.5, 4.0}));
  ASSERT_EQ(speedup.notes.size(), 1u);
  EXPECT_EQ(speedup.notes[0], "Left out: loops at 16 threads: more threads than the 8 of this machine.");

  // A report whose only point has one thread still gives a line of one point, and a note on the points that were left
  // out.
  const Chart one = chart_of(plot, {report_of({scaling[1], scaling[3]})});
  EXPECT_EQ(line(one, "loops").y, std::vector<double>{1.0});
  EXPECT_EQ(one.notes.size(), 1u);

  plot.y = PlotY::efficiency;
  const Chart efficiency = chart_of(plot, {report_of(scaling)});
  EXPECT_EQ(line(efficiency, "loops").y, (std::vector<double>{1.0, 0.9, 0.75}));
  EXPECT_EQ(efficiency.guides[0].y, (std::vector<double>{1.0, 1.0, 1.0}));
}

TEST(SuiteCharts, BarsBesideTheDocument) {
  const SuitePlot plot{.title = "t",
                       .x = "case",
                       .x_label = "",
                       .y = PlotY::speedup,
                       .over = "serial",
                       .bars = true,
                       .groups = {},
                       .documents = {{"cuda", {{"second", 50.0}, {"first", 31.0}}}}};
  const Chart chart = chart_of(plot, {report_of({{"g", "serial", "first", "serial", 1, 50, 8.0},
                                                 {"g", "openmp", "first", "openmp", 8, 50, 2.0},
                                                 {"g", "cuda", "first", "cuda", 1, 50, 0.0, "no GPU here"},
                                                 {"g", "serial", "second", "serial", 1, 50, 6.0},
                                                 {"g", "openmp", "second", "openmp", 8, 50, 1.0},
                                                 {"g", "cuda", "second", "cuda", 1, 50, 0.0, "no GPU here"}})});
  EXPECT_EQ(chart.categories, (std::vector<std::string>{"first", "second"}));
  ASSERT_EQ(chart.lines.size(), 3u) << "serial over serial says nothing";
  EXPECT_EQ(line(chart, "openmp").y, (std::vector<double>{4.0, 6.0}));
  EXPECT_EQ(line(chart, "cuda").absent, "no GPU here");
  EXPECT_TRUE(line(chart, "cuda").x.empty());
  EXPECT_TRUE(line(chart, "cuda (document)").stated);
  EXPECT_EQ(line(chart, "cuda (document)").x, (std::vector<double>{0, 1}));
  EXPECT_EQ(line(chart, "cuda (document)").y, (std::vector<double>{31, 50}));
  EXPECT_TRUE(chart.notes.empty());
}

TEST(SuiteCharts, WithoutReferenceNothingIsInvented) {
  const SuitePlot plot{
      .title = "t", .x = "size", .x_label = "", .y = PlotY::speedup, .over = "serial", .groups = {}, .documents = {}};
  const Chart chart = chart_of(plot, {report_of({{"g", "serial", "", "serial", 1, 200, 8.0},
                                                 {"g", "openmp", "", "openmp", 8, 200, 2.0},
                                                 {"g", "openmp", "", "openmp", 8, 50, 1.0}})});
  EXPECT_EQ(chart.categories, (std::vector<std::string>{"50x100", "200x100"})) << "by pixels";
  EXPECT_EQ(line(chart, "openmp").x, std::vector<double>{1});
  EXPECT_EQ(line(chart, "openmp").y, std::vector<double>{4.0});
  ASSERT_EQ(chart.notes.size(), 1u);
  EXPECT_EQ(chart.notes[0], "Left out: openmp at 50x100: 'serial' was not measured on one thread.");
}

TEST(SuiteCharts, BandwidthPixelsAndParameters) {
  SuitePlot plot{
      .title = "t", .x = "pixels", .x_label = "", .y = PlotY::gigabytes, .over = "", .groups = {}, .documents = {}};
  const std::vector<Sample> samples{{"g", "a", "", "serial", 1, 20000, 4.0}};
  const Chart bandwidth = chart_of(plot, {report_of(samples)});
  EXPECT_EQ(bandwidth.lines.at(0).x, std::vector<double>{2.0});
  EXPECT_EQ(bandwidth.lines.at(0).y, std::vector<double>{0.5});
  plot.x = "params.size";
  EXPECT_EQ(chart_of(plot, {report_of(samples)}).lines.at(0).x, std::vector<double>{3.0});
  plot.groups = {"another"};
  EXPECT_TRUE(chart_of(plot, {report_of(samples)}).lines.empty());
}

TEST(SuiteCharts, AnyFigureOfReportsIsDrawnOverAnyFact) {
  const SuitePlot plot{.title = "t",
                       .x = "width",
                       .x_label = "",
                       .y = PlotY::figure,
                       .figure = find_figure("upload_ms"),
                       .over = "",
                       .groups = {},
                       .documents = {}};
  const Chart chart = chart_of(plot, {report_of({{"g", "cuda", "", "cuda", 1, 200, 4.0},
                                                 {"g", "cuda", "", "cuda", 1, 100, 3.0},
                                                 {"g", "serial", "", "serial", 1, 200, 9.0}})});
  EXPECT_EQ(chart.x_label, "width");
  EXPECT_EQ(chart.y_label, "upload_ms");
  EXPECT_EQ(line(chart, "cuda").x, (std::vector<double>{100, 200}));
  EXPECT_EQ(line(chart, "cuda").y, (std::vector<double>{2, 2}));
  EXPECT_TRUE(line(chart, "cuda").low.empty()) << "intervals are those of medians";
  EXPECT_EQ(line(chart, "serial").absent, "the report does not state it");
}

TEST(SuiteCharts, TransfersStandBesideTheComputation) {
  SuitePlot plot{.title = "t",
                 .x = "size",
                 .x_label = "",
                 .transfers = PlotTransfers::beside,
                 .over = "",
                 .groups = {},
                 .documents = {}};
  const std::vector<Sample> samples{{"g", "serial", "", "serial", 1, 50, 24.0}, {"g", "cuda", "", "cuda", 1, 50, 2.0}};
  const Chart both = chart_of(plot, {report_of(samples)});
  ASSERT_EQ(both.lines.size(), 3u) << "a CPU has no transfers";
  EXPECT_EQ(line(both, "serial").y, std::vector<double>{24.0});
  EXPECT_EQ(line(both, "cuda").y, std::vector<double>{2.0});
  EXPECT_EQ(line(both, "cuda, with transfers").y, std::vector<double>{2.0 + 1.0 + 2.0 + 3.0});

  plot.transfers = PlotTransfers::with;
  plot.y = PlotY::speedup;
  plot.over = "serial";
  const Chart with = chart_of(plot, {report_of(samples)});
  ASSERT_EQ(with.lines.size(), 1u);
  EXPECT_EQ(line(with, "cuda").y, std::vector<double>{24.0 / 8.0});
  EXPECT_EQ(with.y_label, "speed-up over serial on one thread, times, with transfers");

  Json old = report_of(samples);
  for (Json& result : old["results"])
    result.erase("download_ms");
  const Chart unknown = chart_of(plot, {old});
  EXPECT_EQ(line(unknown, "cuda").absent, "the report has no transfers");
}

TEST(SuiteCharts, SpeedUpsReferToOneThreadOrToAll) {
  SuitePlot plot{
      .title = "t", .x = "size", .x_label = "", .y = PlotY::speedup, .over = "openmp", .groups = {}, .documents = {}};
  std::vector<Sample> samples{{"g", "openmp", "", "openmp", 1, 50, 12.0},
                              {"g", "openmp", "", "openmp", 8, 50, 3.0},
                              {"g", "openmp", "", "openmp", 4, 50, 4.0},
                              {"g", "cuda", "", "cuda", 1, 50, 0.5}};
  const Chart one = chart_of(plot, {report_of(samples)});
  EXPECT_EQ(line(one, "cuda").y, std::vector<double>{24.0});
  EXPECT_EQ(one.y_label, "speed-up over openmp on one thread, times");
  plot.over_all_threads = true;
  const Chart all = chart_of(plot, {report_of(samples)});
  EXPECT_EQ(line(all, "cuda").y, std::vector<double>{6.0});
  EXPECT_EQ(all.y_label, "speed-up over openmp on 8 threads, times");
  samples.resize(1);
  samples.push_back({"g", "cuda", "", "cuda", 1, 200, 0.5});
  EXPECT_EQ(line(chart_of(plot, {report_of(samples)}), "cuda").absent, "'openmp' was not measured");
}

TEST(SuiteCharts, OperationsPerSecondByTheAlgorithmsCount) {
  const SuitePlot plot{
      .title = "t", .x = "size", .x_label = "", .y = PlotY::operations, .over = "", .groups = {}, .documents = {}};
  Json report = report_of({{"g", "a", "", "serial", 1, 50, 4.0}});
  EXPECT_EQ(line(chart_of(plot, {report}), "a").absent, "the algorithm states no operations");
  report["results"][0]["operations"] = 8e6;
  EXPECT_EQ(line(chart_of(plot, {report}), "a").y, std::vector<double>{2.0});

  // A report that was written before the projection stated its operations. Equation 4.1 of source document 001 for its
  // first configuration: 7 views of 400 x 400 pixels, 168 planes along each axis.
  Json& result = report["results"][0];
  result.erase("operations");
  result["algorithm"] = "projection";
  result["params"] = {{"pixels", 400}};
  result["input"] = {{"kind", "volume"}, {"element", "f32"}, {"channels", 1},
                     {"width", 168},     {"height", 168},    {"depth", 168}};
  const double operations = 7.0 * 400 * 400 * (168 + 168 + 168);
  EXPECT_DOUBLE_EQ(line(chart_of(plot, {report}), "a").y.at(0), operations / 4e-3 / 1e9);
}

TEST(SuiteCharts, ATransferIsFittedAndItsModelDrawn) {
  std::vector<Json> reports{report_of({{"g", "pinned", "", "cuda", 1, 100, 0.128},
                                       {"g", "pinned", "", "cuda", 1, 1000, 0.2},
                                       {"g", "pinned", "", "cuda", 1, 10000, 0.92}},
                                      "CPU A", "GPU B")};
  // 0.12 ms and 12.5 GB/s: 1e5, 1e6 and 1e7 bytes.
  for (const auto& [index, bytes] : {std::pair{0, 1e5}, {1, 1e6}, {2, 1e7}}) {
    Json& result = reports[0]["results"][static_cast<std::size_t>(index)];
    result["gb_s"] = bytes / result["compute_ms"]["samples"][0].get<double>() / 1e6;
  }
  const SuitePlot plot{.title = "p", .x = "size", .y = PlotY::milliseconds, .fit = true};
  const Chart chart = chart_of(plot, reports);
  ASSERT_EQ(chart.lines.size(), 2u);
  EXPECT_EQ(chart.lines[1].label, "pinned (model: 120 us + 12.5 GB/s)");
  EXPECT_EQ(chart.lines[1].series, "pinned") << "it has the colour of the line that it belongs to";
  EXPECT_TRUE(chart.lines[1].stated);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(chart.lines[1].y[i], chart.lines[0].y[i], 1e-9);
  ASSERT_EQ(chart.notes.size(), 1u);
  EXPECT_NE(chart.notes[0].find("half of the bandwidth is reached at 1.43 MiB"), std::string::npos) << chart.notes[0];
}

TEST(SuiteCharts, PeersHaveLinesOfTheirOwnAndAreNoReference) {
  Json report = report_of({{"g", "serial", "c", "serial", 1, 50, 8.0}, {"g", "serial", "c", "serial", 1, 50, 2.0}});
  report["results"][1]["peer"] = "OpenCV filter2D";
  const SuitePlot plot{.title = "t", .x = "case", .y = PlotY::speedup, .over = "serial", .bars = true};
  const Chart chart = chart_of(plot, {report});
  ASSERT_EQ(chart.lines.size(), 1u) << "the line that all refer to is not drawn";
  EXPECT_EQ(line(chart, "serial, OpenCV").y, std::vector<double>{4.0});
}

TEST(SuiteCharts, SeveralMachinesAreNamed) {
  const SuitePlot plot{.title = "t",
                       .x = "case",
                       .x_label = "",
                       .y = PlotY::speedup,
                       .over = "serial",
                       .bars = true,
                       .groups = {},
                       .documents = {}};
  const Json here = report_of({{"g", "serial", "c", "serial", 1, 50, 8.0},
                               {"g", "openmp", "c", "openmp", 8, 50, 2.0},
                               {"g", "cuda", "c", "cuda", 1, 50, 0.0, "no GPU here"}});
  const Json there = report_of({{"g", "cuda", "c", "cuda", 1, 50, 0.5}}, "CPU B", "NVIDIA H200");
  const ChartPage page = page_of(plot, {here, there});
  EXPECT_EQ(page.machines, (std::vector<std::string>{"CPU A (8 threads)", "NVIDIA H200"}));
  const Chart& chart = page.charts.at(0);
  ASSERT_EQ(chart.lines.size(), 2u) << "the GPU that is not here is measured there";
  EXPECT_EQ(line(chart, "openmp, CPU A (8 threads)").y, std::vector<double>{4.0});
  EXPECT_EQ(line(chart, "cuda, NVIDIA H200").y, std::vector<double>{16.0});
  ASSERT_EQ(chart.notes.size(), 1u);
  EXPECT_EQ(chart.notes[0], "Speed-ups of NVIDIA H200 refer to CPU A (8 threads).");
}

TEST(SuiteCharts, TheLaterReportOfAMachineCounts) {
  const SuitePlot plot{.title = "t", .x = "threads", .x_label = "", .over = "", .groups = {}, .documents = {}};
  const Chart chart = chart_of(
      plot, {report_of({{"g", "a", "", "openmp", 2, 50, 8.0}}), report_of({{"g", "a", "", "openmp", 2, 50, 5.0}})});
  ASSERT_EQ(chart.lines.size(), 1u);
  EXPECT_EQ(chart.lines[0].y, std::vector<double>{5.0});
}

TEST(SuiteCharts, TablesShowEveryLine) {
  const SuitePlot plot{.title = "t",
                       .x = "threads",
                       .x_label = "",
                       .y = PlotY::milliseconds,
                       .over = "",
                       .groups = {},
                       .documents = {{"old", {{"2", 7.0}}}}};
  const std::string text = chart_tables(page_of(plot, {report_of(scaling)}));
  EXPECT_NE(text.find("threads  loops  old (document)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("2         5.00            7.00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Left out"), std::string::npos) << text;
}

TEST(SuiteCharts, OtherJsonIsRefused) {
  const SuitePlot plot{.title = "t", .x_label = "", .over = "", .groups = {}, .documents = {}};
  Json broken = report_of(scaling);
  broken["results"][0].erase("threads");
  EXPECT_THROW(chart_of(plot, {broken}), UsageError);
}

}  // namespace
}  // namespace threadscape::app
