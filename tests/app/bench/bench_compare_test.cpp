// Tests of comparing reports. The reports are written by hand here, or are those that come with the documentation.

#include <gtest/gtest.h>

#include <filesystem>

#include "app/bench/bench_compare.h"
#include "app/measure/report_table.h"
#include "app/measure/row_sentences.h"
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

ReportFile parsed(const Json& json, const std::string& name) {
  return parse_report(json.dump(), name);
}

std::string message_of(const std::string& text) {
  try {
    (void)parse_report(text, "x.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReportFile, KeepsTheStagesOfARunInTheirOrder) {
  Json json = sizes_report({{64, 1.0}});
  json["results"][0]["stages_ms"] = {{"vertices", 0.5}, {"binning", 0.25}, {"rest", 0.125}, {"total", 0.875}};
  const ReportFile report = parsed(json, "x.json");
  EXPECT_EQ(report.rows[0].stages,
            (std::vector<std::pair<std::string, double>>{{"vertices", 0.5}, {"binning", 0.25}, {"rest", 0.125}}));
  json["results"][0]["stages_ms"]["vertices"] = "soon";
  EXPECT_TRUE(message_of(json.dump()).find("stages_ms.vertices") != std::string::npos) << message_of(json.dump());
}

TEST(ReportFile, KeepsTheCeilingsOfTheGpuSortedByTheirRates) {
  const auto device_of = [](const BenchReport& report) {
    Json json = bench_json(report);
    json["results"] = sizes_report({{64, 1.0}})["results"];  // A report without results is refused.
    return parsed(json, "x.json").device;
  };
  BenchReport report;
  report.environment = Json::object();
  EXPECT_TRUE(device_of(report).memories.empty());
  report.limits.device_ceilings = {.reading = {{"L2", 8e12}, {"memory", 4e12}}, .arithmetic = {{"FP32", 6e13}}};
  const Roofline device = device_of(report);
  ASSERT_EQ(device.memories.size(), 2U);
  EXPECT_EQ(device.memories[0].name, "memory");
  EXPECT_DOUBLE_EQ(device.memories[0].per_second, 4e12);
  ASSERT_EQ(device.arithmetics.size(), 1U);
  EXPECT_EQ(device.arithmetics[0].name, "FP32");
  EXPECT_DOUBLE_EQ(device.arithmetics[0].per_second, 6e13);
}

TEST(CompareReports, EachRowHasItsVerdict) {
  const ReportFile before = parsed(sizes_report({{64, 1.0}, {128, 2.0}, {256, 4.0}, {512, 8.0}}), "old.json");
  const ReportFile after = parsed(sizes_report({{256, 4.001}, {64, 0.5}, {128, 3.0}, {1024, 9.0}}), "new.json");
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

TEST(CompareReports, WhatARowSaysBesideItsTimeIsReadFromItsReport) {
  Json json = sizes_report({{100, 2.0}});
  Json& result = json["results"][0];
  result["compute_ms"]["samples"] = {2.0, 2.0, 2.0};
  result["gb_s"] = 10.0;
  result["operations"] = 8e4;
  result["conditions"] = {{"other_load_cores", 1.5}, {"governor", "powersave"}, {"gpu_throttled", true}};
  result["counters"] = {{"instructions", 4e6}, {"cycles", 2e6}, {"cache_misses", 1e3}};
  const ReportFile file = parsed(json, "x.json");
  // 10 GB/s for 2 ms are 2e7 bytes, which 10,000 pixels share; 8e4 operations in 2 ms are 0.04e9 a second.
  EXPECT_EQ(
      row_sentences(file.rows[0]),
      (std::vector<std::string>{
          "10.0 GB/s and 0.0400 GFLOP/s: 2000 bytes and 8.00 operations for each pixel, voxel or value, as the "
          "algorithm states them.",
          "Counters of one run: 2.00 instructions in a cycle, and a miss of the last cache every 4000 instructions.",
          "Other programs kept 1.5 cores busy.", "Heat or power limited the clock of the GPU.",
          "The governor 'powersave' may keep the clock of the CPU low."}));
  result["conditions"]["governor"] = 3;
  EXPECT_TRUE(message_of(json.dump()).starts_with("x.json: results[0].conditions.governor"));
  EXPECT_TRUE(row_sentences(parsed(sizes_report({{64, 1.0}}), "x.json").rows[0]).empty());
}

TEST(CompareReports, ReportsWithoutACommonRowAreRefused) {
  const ReportFile before = parsed(sizes_report({{64, 1.0}}), "old.json");
  const ReportFile after = parsed(sizes_report({{65, 1.0}}), "new.json");
  EXPECT_THROW((void)compare_reports(before, after, {}), UsageError);
}

TEST(CompareReports, FilesThatAreNoReportsAreRefusedWithOneLine) {
  for (const std::string text : {"[]", "{}", "{\"results\": []}", "{\"environment\": {}, \"results\": [{}]}", "{"}) {
    const std::string message = message_of(text);
    EXPECT_TRUE(message.starts_with("x.json")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  Json later = sizes_report({{64, 1.0}});
  later["version"] = 3;
  EXPECT_EQ(message_of(later.dump()), "x.json: a report of version 3; this program reads up to version 2");
  Json bare = sizes_report({{64, 1.0}});
  bare["results"][0]["compute_ms"] = {{"median", 1.0}};
  EXPECT_NE(message_of(bare.dump()).find("only reports with all samples"), std::string::npos);
}

TEST(CompareReports, EarlierReportsStillOpenAndEqualThemselves) {
  int opened = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.find("latency") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const ReportFile file = load_report(entry.path());
    EXPECT_FALSE(file.machine.empty());
    const ComparisonReport report = compare_reports(file, file, {});
    // The interval of a report against itself contains 1, so that no row may be called different.
    EXPECT_EQ(report.count(Verdict::slower) + report.count(Verdict::faster), 0U);
    ++opened;
  }
  EXPECT_GE(opened, 15);
}

TEST(CompareReports, LabelsTellElementTypesAndChannelsApart) {
  Json report = sizes_report({{64, 1.0}, {64, 2.0}, {64, 3.0}, {64, 4.0}});
  const std::vector<std::pair<const char*, int>> kinds{{"u8", 1}, {"u8", 4}, {"f32", 1}};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    report["results"][i]["input"]["element"] = kinds[i].first;
    report["results"][i]["input"]["channels"] = kinds[i].second;
  }
  const auto labels_of = [](const ReportFile& file, std::size_t count) {
    std::vector<const ReportRow*> rows;
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back(&file.rows[i]);
    return row_labels(rows);
  };
  const ReportFile file = parsed(report, "x.json");
  EXPECT_EQ(labels_of(file, 4),
            (std::vector<std::string>{"median 64x64 u8 x 1 openmp 4", "median 64x64 u8 x 4 openmp 4",
                                      "median 64x64 f32 x 1 openmp 4", "median 64x64 openmp 4"}));
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
