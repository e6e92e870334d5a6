// Tests of comparing reports. The reports are written by hand here, or are those that come with the documentation.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "app/bench/bench_compare.h"
#include "compute/core/errors.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

/// A report in which each row has 20 samples from `milliseconds` upwards, spread over 2 %.
Json sizes_report(const std::vector<std::pair<int, double>>& sizes_and_times) {
  Json report{{"version", 2}, {"environment", {{"cpu", {{"model", "CPU A"}}}}}, {"results", Json::array()}};
  for (const auto& [size, milliseconds] : sizes_and_times) {
    Json result{{"algorithm", "median"},
                {"backend", "openmp"},
                {"variant", "default"},
                {"threads", 4},
                {"input", {{"width", size}, {"height", size}, {"depth", 1}}},
                {"params", {{"size", 3}}}};
    for (int i = 0; i < 20; ++i)
      result["compute_ms"]["samples"].push_back(milliseconds * (1.0 + 0.001 * ((i * 7) % 20)));
    report["results"].push_back(result);
  }
  return report;
}

Report parsed(const Json& json, const std::string& name) {
  return parse_reports(json.dump(), name).front();
}

TEST(CompareReports, EachRowHasItsVerdict) {
  const Report before = parsed(sizes_report({{64, 1.0}, {128, 2.0}, {256, 4.0}, {512, 8.0}}), "old.json");
  const Report after = parsed(sizes_report({{256, 4.001}, {64, 0.5}, {128, 3.0}, {1024, 9.0}}), "new.json");
  const ComparisonReport report = compare_reports(before, after, {});
  ASSERT_EQ(report.rows.size(), 3U);
  EXPECT_EQ(report.rows[0].row.verdict, Verdict::same);  // The rows have the order of the new report.
  EXPECT_EQ(report.rows[1].row.verdict, Verdict::faster);
  EXPECT_EQ(report.rows[2].row.verdict, Verdict::slower);
  EXPECT_NEAR(report.rows[2].row.ratio.ratio, 1.5, 0.01);
  EXPECT_EQ(report.rows[1].label, "median 64x64 openmp 4");
  ASSERT_EQ(report.notes.size(), 2U);
  EXPECT_EQ(report.notes[0], "1 row is only in old.json.");
  EXPECT_EQ(report.count(Verdict::slower), 1U);
  EXPECT_NE(comparison_table(report).find("1 FASTER, 1 SLOWER, 1 SAME, 0 UNCLEAR."), std::string::npos);
  EXPECT_EQ(comparison_json(report)["rows"][2]["verdict"], "SLOWER");
}

TEST(CompareReports, ReportsWithoutACommonRowAreRefused) {
  const Report before = parsed(sizes_report({{64, 1.0}}), "old.json");
  const Report after = parsed(sizes_report({{65, 1.0}}), "new.json");
  EXPECT_THROW((void)compare_reports(before, after, {}), UsageError);
}

TEST(CompareReports, EarlierReportsStillOpenAndEqualThemselves) {
  int opened = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.find("latency") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const Report file = joined_report(load_reports(entry.path()));
    EXPECT_NE(file.machine(), "unknown machine");
    const ComparisonReport report = compare_reports(file, file, {});
    // The interval of a report against itself contains 1, so that no row may be called different.
    EXPECT_EQ(report.count(Verdict::slower) + report.count(Verdict::faster), 0U);
    ++opened;
  }
  EXPECT_GE(opened, 15);
}

TEST(CompareReports, LabelsTellElementTypesAndChannelsApart) {
  Json report = sizes_report({{64, 1.0}, {64, 2.0}, {64, 3.0}});
  const std::vector<std::pair<const char*, int>> kinds{{"u8", 1}, {"u8", 4}, {"f32", 1}};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    report["results"][i]["input"]["element"] = kinds[i].first;
    report["results"][i]["input"]["channels"] = kinds[i].second;
  }
  const auto labels_of = [](const Report& file, std::size_t count) {
    std::vector<const Measurement*> rows;
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back(&file.rows[i]);
    return row_labels(rows);
  };
  const Report file = parsed(report, "x.json");
  EXPECT_EQ(labels_of(file, 3),
            (std::vector<std::string>{"median 64x64 u8 x 1 openmp 4", "median 64x64 u8 x 4 openmp 4",
                                      "median 64x64 f32 x 1 openmp 4"}));
  EXPECT_EQ(labels_of(file, 1), (std::vector<std::string>{"median 64x64 openmp 4"}));
}

TEST(CompareReports, RowsOfVersionOnePairWithNewOnesByTheirBuffers) {
  const auto cuda_report = [] {
    Json report = sizes_report({{64, 1.0}});
    report["results"][0]["backend"] = "cuda";
    return report;
  };
  Json old = cuda_report(), recent = cuda_report();
  old.erase("version");
  old["results"][0]["buffers"] = 4;
  recent["results"][0]["caches"] = "cold";
  EXPECT_EQ(compare_reports(parsed(old, "old.json"), parsed(recent, "new.json"), {}).rows.size(), 1U);
  old["results"][0]["buffers"] = 1;  // A single buffer stays in the cache.
  EXPECT_THROW((void)compare_reports(parsed(old, "old.json"), parsed(recent, "new.json"), {}), UsageError);
  recent["results"][0]["caches"] = "warm";
  EXPECT_EQ(compare_reports(parsed(old, "old.json"), parsed(recent, "new.json"), {}).rows.size(), 1U);
}

}  // namespace
}  // namespace threadscape::app
