// Tests of the plots of suites in the lab, from reports that come with the documentation.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

#include "app/lab/suite_plots.h"
#include "app/measure/report_file.h"
#include "compute/core/errors.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

std::vector<Report> report(const std::string& name) {
  return load_reports(source_dir() + "/docs/benchmarks/" + name + ".json");
}

TEST(SuitePlots, AnOpenedReportHasThePlotsThatItsSuiteStates) {
  SuitePlots plots;
  EXPECT_TRUE(plots.plot(0).lines.empty());
  EXPECT_FALSE(plots.plot(0).notes.empty());
  plots.open(report("xeon-16-threads-morphology-openmp"));
  EXPECT_EQ(plots.titles(), (std::vector<std::string>{"Speed-up by threads", "Efficiency by threads"}));
  const Chart plot = plots.plot(0);
  EXPECT_EQ(plot.title, "Speed-up by threads");
  ASSERT_EQ(plot.lines.size(), 4U);
  for (const ChartLine& line : plot.lines) {
    ASSERT_EQ(line.low.size(), line.y.size());
    ASSERT_EQ(line.count.size(), line.y.size());
    EXPECT_TRUE(std::ranges::is_sorted(line.x));
    EXPECT_DOUBLE_EQ(line.y.front(), 1.0);
    for (std::size_t i = 0; i < line.y.size(); ++i) {
      EXPECT_LE(line.low[i], line.y[i]);
      EXPECT_GE(line.high[i], line.y[i]);
      EXPECT_GE(line.count[i], 3U);
    }
  }
  ASSERT_EQ(plot.guides.size(), 1U);
  EXPECT_EQ(plot.guides[0].y.back(), 16.0);
  EXPECT_EQ(plots.plot(1).guides[0].y.back(), 1.0);
  plots.close();
  EXPECT_TRUE(plots.titles().empty());
}

TEST(SuitePlots, SeveralSuitesAreToldApartByTheirNames) {
  SuitePlots plots;
  plots.open(report("xeon-16-threads-morphology-openmp"));
  plots.measured(report("nvidia-h200-sorting").front());
  ASSERT_EQ(plots.titles().size(), 7U);
  EXPECT_EQ(plots.titles()[0], "sorting: Speed-up over quicksort on one CPU thread");
  EXPECT_EQ(plots.titles()[5], "morphology-openmp: Speed-up by threads");
  EXPECT_EQ(plots.plot(3).style, ChartStyle::bars);
  EXPECT_FALSE(plots.plot(3).categories.empty());
  plots.measured({});
  EXPECT_EQ(plots.titles().size(), 2U);
}

// The report of the suite `time` has a variant that is no longer there.
TEST(SuitePlots, EveryStoredReportOpens) {
  int opened = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.find("latency") != std::string::npos) continue;
    std::vector<Report> reports = load_reports(entry.path());
    std::erase_if(reports, [](const Report& report) { return report.suite_definition == nullptr; });
    if (reports.empty()) continue;
    SuitePlots plots;
    EXPECT_NO_THROW(plots.open(reports)) << entry.path();
    EXPECT_FALSE(plots.titles().empty()) << entry.path();
    ++opened;
  }
  EXPECT_GT(opened, 10);
}

TEST(SuitePlots, ReportsWithoutASuiteHaveNoPlots) {
  SuitePlots plots;
  plots.open(report("nvidia-h200-backends"));
  EXPECT_TRUE(plots.titles().empty());
  std::vector<Report> broken = report("nvidia-h200-sorting");
  broken.front().suite_definition = std::make_shared<const Json>(Json{{"title", 3}});
  EXPECT_THROW(plots.open(broken), UsageError);
  plots.open(report("nvidia-h200-sorting"));  // What was refused is not kept.
  EXPECT_EQ(plots.titles().size(), 5U);
}

TEST(SuitePlots, AReportOfAllSuitesIsOneReportWithThePlotsOfEach) {
  std::vector<Report> all = report("nvidia-h200-sorting");
  all.push_back(report("nvidia-h200-terrain").front());
  const std::string json = dump(suites_json(all, {.seconds = 10.0, .used = 9.0, .left_out = 0}));
  SuitePlots plots;
  plots.open(parse_reports(json, "all.json"));
  EXPECT_EQ(plots.titles().size(), 16U);
  EXPECT_EQ(joined_report(parse_reports(json, "all.json")).rows.size(), all[0].rows.size() + all[1].rows.size());
}

}  // namespace
}  // namespace threadscape::app
