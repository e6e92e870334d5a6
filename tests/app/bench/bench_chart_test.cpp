// Tests of the charts that make_charts() builds. The reports are written by hand here, not measured.

#include <gtest/gtest.h>

#include <algorithm>

#include "app/bench/bench_chart.h"

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
      result["compute_ms"] = {{"median", sample.milliseconds}};
      result["gb_s"] = 2.0 / sample.milliseconds;
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

Chart chart_of(const SuitePlot& plot, const std::vector<Json>& reports) {
  return make_charts(suite_with(plot), reports).charts.at(0);
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

TEST(BenchChart, SpeedUpAndEfficiencyReferToOneThread) {
  SuitePlot plot{.title = "t",
                 .x = PlotX::threads,
                 .parameter = "",
                 .x_label = "",
                 .y = PlotY::speedup,
                 .over = "loops",
                 .groups = {},
                 .documents = {}};
  const Chart speedup = chart_of(plot, {report_of(scaling)});
  EXPECT_EQ(line(speedup, "loops").x, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(line(speedup, "loops").y, (std::vector<double>{1.0, 9.0 / 5.0, 3.0}));
  EXPECT_TRUE(speedup.by_threads);
  ASSERT_EQ(speedup.notes.size(), 1u);
  EXPECT_EQ(speedup.notes[0], "Left out: loops at 16 threads: more threads than the 8 of this machine.");

  // A report whose only point has one thread still gives a line of one point, and a note on the points that were left
  // out.
  const Chart one = chart_of(plot, {report_of({scaling[1], scaling[3]})});
  EXPECT_EQ(line(one, "loops").y, std::vector<double>{1.0});
  EXPECT_EQ(one.notes.size(), 1u);

  plot.y = PlotY::efficiency;
  EXPECT_EQ(line(chart_of(plot, {report_of(scaling)}), "loops").y, (std::vector<double>{1.0, 0.9, 0.75}));
}

TEST(BenchChart, BarsBesideTheDocument) {
  const SuitePlot plot{.title = "t",
                       .x = PlotX::cases,
                       .parameter = "",
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
  EXPECT_TRUE(line(chart, "cuda (document)").is_document());
  EXPECT_EQ(line(chart, "cuda (document)").x, (std::vector<double>{0, 1}));
  EXPECT_EQ(line(chart, "cuda (document)").y, (std::vector<double>{31, 50}));
  EXPECT_TRUE(chart.notes.empty());
}

TEST(BenchChart, WithoutReferenceNothingIsInvented) {
  const SuitePlot plot{.title = "t",
                       .x = PlotX::size,
                       .parameter = "",
                       .x_label = "",
                       .y = PlotY::speedup,
                       .over = "serial",
                       .groups = {},
                       .documents = {}};
  const Chart chart = chart_of(plot, {report_of({{"g", "serial", "", "serial", 1, 200, 8.0},
                                                 {"g", "openmp", "", "openmp", 8, 200, 2.0},
                                                 {"g", "openmp", "", "openmp", 8, 50, 1.0}})});
  EXPECT_EQ(chart.categories, (std::vector<std::string>{"50x100", "200x100"})) << "by pixels";
  EXPECT_EQ(line(chart, "openmp").x, std::vector<double>{1});
  EXPECT_EQ(line(chart, "openmp").y, std::vector<double>{4.0});
  ASSERT_EQ(chart.notes.size(), 1u);
  EXPECT_EQ(chart.notes[0], "Left out: openmp at 50x100: 'serial' was not measured on one thread.");
}

TEST(BenchChart, BandwidthPixelsAndParameters) {
  SuitePlot plot{.title = "t",
                 .x = PlotX::pixels,
                 .parameter = "",
                 .x_label = "",
                 .y = PlotY::gigabytes,
                 .over = "",
                 .groups = {},
                 .documents = {}};
  const std::vector<Sample> samples{{"g", "a", "", "serial", 1, 20000, 4.0}};
  const Chart bandwidth = chart_of(plot, {report_of(samples)});
  EXPECT_EQ(bandwidth.lines.at(0).x, std::vector<double>{2.0});
  EXPECT_EQ(bandwidth.lines.at(0).y, std::vector<double>{0.5});
  plot.x = PlotX::parameter;
  plot.parameter = "size";
  EXPECT_EQ(chart_of(plot, {report_of(samples)}).lines.at(0).x, std::vector<double>{3.0});
  plot.groups = {"another"};
  EXPECT_TRUE(chart_of(plot, {report_of(samples)}).lines.empty());
}

TEST(BenchChart, SeveralMachinesAreNamed) {
  const SuitePlot plot{.title = "t",
                       .x = PlotX::cases,
                       .parameter = "",
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
  const ChartPage page = make_charts(suite_with(plot), {here, there});
  EXPECT_EQ(page.machines, (std::vector<std::string>{"CPU A (8 threads)", "NVIDIA H200"}));
  const Chart& chart = page.charts.at(0);
  ASSERT_EQ(chart.lines.size(), 2u) << "the GPU that is not here is measured there";
  EXPECT_EQ(line(chart, "openmp, CPU A (8 threads)").y, std::vector<double>{4.0});
  EXPECT_EQ(line(chart, "cuda, NVIDIA H200").y, std::vector<double>{16.0});
  ASSERT_EQ(chart.notes.size(), 1u);
  EXPECT_EQ(chart.notes[0], "Speed-ups of NVIDIA H200 refer to CPU A (8 threads).");
}

TEST(BenchChart, TheLaterReportOfAMachineCounts) {
  const SuitePlot plot{
      .title = "t", .x = PlotX::threads, .parameter = "", .x_label = "", .over = "", .groups = {}, .documents = {}};
  const Chart chart = chart_of(
      plot, {report_of({{"g", "a", "", "openmp", 2, 50, 8.0}}), report_of({{"g", "a", "", "openmp", 2, 50, 5.0}})});
  ASSERT_EQ(chart.lines.size(), 1u);
  EXPECT_EQ(chart.lines[0].y, std::vector<double>{5.0});
}

TEST(BenchChart, TablesShowEveryLine) {
  const SuitePlot plot{.title = "t",
                       .x = PlotX::threads,
                       .parameter = "",
                       .x_label = "",
                       .y = PlotY::milliseconds,
                       .over = "",
                       .groups = {},
                       .documents = {{"old", {{"2", 7.0}}}}};
  const std::string text = chart_tables(make_charts(suite_with(plot), {report_of(scaling)}));
  EXPECT_NE(text.find("threads  loops  old (document)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("2         5.00            7.00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Left out"), std::string::npos) << text;
}

TEST(BenchChart, OtherJsonIsRefused) {
  const SuitePlot plot{.title = "t", .parameter = "", .x_label = "", .over = "", .groups = {}, .documents = {}};
  Json broken = report_of(scaling);
  broken["results"][0].erase("threads");
  EXPECT_THROW(chart_of(plot, {broken}), UsageError);
}

}  // namespace
}  // namespace threadscape::app
