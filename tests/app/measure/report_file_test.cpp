// Reports are written and read back. Some are written by hand here, others are those that come with the documentation.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "app/measure/columns.h"
#include "app/measure/report_table.h"
#include "app/measure/speedup_parts.h"
#include "compute/core/errors.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

/// A report in which each row has 20 samples from `milliseconds` upwards, spread over 2 %.
Json report_of(const std::vector<std::pair<int, double>>& sizes_and_times) {
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

std::string message_of(const std::string& text) {
  try {
    (void)parse_reports(text, "x.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

/// A measurement in which every member has a value of its own.
Measurement complete() {
  Measurement row{.what = {.algorithm = "sobel",
                           .params = {{.name = "norm", .json = "\"l1\"", .text = "l1"},
                                      {.name = "steps",
                                       .json = R"([{"algorithm":"median","on":true},{"algorithm":"mean","on":false}])",
                                       .text = "median"}},
                           .input = Shape::image(Element::u16, 4, 64, 48),
                           .output = Shape::image(Element::f32, 1, 60, 44),
                           .file = "photo.png"},
                  .where = {.backend = Backend::openmp, .variant = "tiled", .threads = 4, .peer = "OpenCV"}};
  row.samples = {.compute = {2.0, 2.5, 2.25, 2.0, 2.125, 4.0, 2.5, 2.0},
                 .upload = {1.0, 1.5, 1.25},
                 .download = {0.5, 0.25, 0.75},
                 .allocation = {0.125, 0.25, 0.5},
                 .warm_up = {9.0, 8.0},
                 .batch = 3,
                 .buffers = 2,
                 .caches = "cold",
                 .ended = "precision"};
  row.counts = {.bytes = 1e6,
                .operations = 3e6,
                .cpu = CpuCounts{.instructions = 3e6, .cycles = 2e6, .cache_misses = 7.0},
                .kernels = {{.name = "filter",
                             .launches = 3,
                             .grid = {128, 64, 1},
                             .block = {16, 16, 2},
                             .registers = 200,
                             .shared_bytes = 49152,
                             .local_bytes = 24,
                             .blocks_per_multiprocessor = 1,
                             .occupancy = 0.25}},
                .gpu = {.kernels = {{.name = "filter",
                                     .launches = 3,
                                     .grid = {128, 64, 1},
                                     .block = {16, 16, 2},
                                     .counts = {{"warp_instructions", 4096}, {"shared_load_conflicts", 0}},
                                     .stalls = {{"barrier", 62.5}}}},
                        .left_out = 2},
                .stages = {{"rows", 0.5}, {"columns", 0.25}, {"rest", 0.125}}};
  row.limits = {.copy = 8e9, .read = 1.6e10};
  row.conditions = {.governor = "powersave",
                    .other_load = 1.5,
                    .mhz_before = 3000.0,
                    .mhz_after = 2000.0,
                    .celsius = -3.0,
                    .throttles = 2.0,
                    .gpu_mhz = 1500.0,
                    .gpu_celsius = 40.0,
                    .gpu_throttled = true};
  row.series = {{.group = "a", .label = "openmp", .case_label = "first"}, {.group = "b", .label = "all"}};
  row.peer_over_ours = 1.25;
  return row;
}

Report complete_report() {
  Report report{.name = "x.json", .environment = environment_of(gpu::devices().first())};
  report.limits = {.host = {{1, 1e10}, {4, 3e10}},
                   .host_read = {{4, 4e10}},
                   .device = 2e12,
                   .device_ceilings = {.reading = {{"L2", 8e12}, {"memory", 4e12}}, .arithmetic = {{"FP32", 6e13}}}};
  report.rows = {complete(), complete()};
  report.rows[1].samples.compute.clear();
  report.rows[1].skipped = "too slow";
  report.rows[1].estimated_ms = 250.0;
  report.suite = "tiny";
  report.suite_definition = std::make_shared<const Json>(Json{{"title", "Tiny"}});
  return report;
}

TEST(ReportFile, EveryFigureComesBack) {
  const Report written = complete_report();
  const std::string json = dump(report_json(written));
  const Report read = parse_reports(json, "x.json").front();
  ASSERT_EQ(read.rows.size(), 2U);
  const Measurement &a = written.rows[0], &b = read.rows[0];
  EXPECT_EQ(a.key(), b.key());
  EXPECT_TRUE(a.what == b.what);
  EXPECT_EQ(a.what.output, b.what.output);
  for (std::size_t i = 0; i < a.what.params.size(); ++i)
    EXPECT_EQ(a.what.params[i].text, b.what.params[i].text);
  EXPECT_EQ(a.samples.compute, b.samples.compute);
  EXPECT_EQ(a.samples.warm_up, b.samples.warm_up);
  EXPECT_EQ(a.counts.kernels, b.counts.kernels);
  EXPECT_EQ(a.counts.stages, b.counts.stages);
  EXPECT_DOUBLE_EQ(a.counts.bytes, b.counts.bytes);
  EXPECT_DOUBLE_EQ(a.limits.copy, b.limits.copy);
  EXPECT_EQ(a.series, b.series);
  EXPECT_EQ(row_sentences(a), row_sentences(b));
  EXPECT_EQ(read.rows[1].skipped, "too slow");
  EXPECT_EQ(read.machine_of(Backend::serial), written.machine_of(Backend::serial));
  const Roofline device = roofline_of(read.limits.device_ceilings);
  ASSERT_EQ(device.memories.size(), 2U);
  EXPECT_EQ(device.memories[0].name, "memory") << "from the slowest to the fastest";
  // What is written again has the same figures, so that none is lost on the way.
  const Json once = Json::parse(json), again = report_json(read);
  for (const auto& [name, value] : once.at("results").at(0).items())
    if (value.is_number())
      EXPECT_DOUBLE_EQ(again["results"][0].at(name).get<double>(), value.get<double>()) << name;
    else
      EXPECT_EQ(again["results"][0].at(name), value) << name;
  EXPECT_EQ(again["results"][1], once["results"][1]);
  for (const char* name : {"environment", "copy_limit", "read_limit", "ceilings", "suite"})
    EXPECT_EQ(again[name], once[name]) << name;
}

TEST(ReportFile, ColumnsHaveNamesOfTheirOwn) {
  std::set<std::string_view> json, csv, table;
  for (const Column& column : columns()) {
    EXPECT_TRUE(column.json.empty() || json.insert(column.json).second) << column.json;
    EXPECT_TRUE(column.csv.empty() || csv.insert(column.csv).second) << column.csv;
    EXPECT_TRUE(column.table.empty() || table.insert(column.table).second) << column.table;
    EXPECT_EQ(column.json.empty(), !column.write) << column.csv;
    EXPECT_TRUE(column.csv.empty() || column.text) << column.csv;
    EXPECT_TRUE(column.table.empty() || column.text) << column.table;
  }
}

TEST(ReportFile, TablesHaveTheColumnsThatARowHas) {
  const Report report = complete_report();
  const std::string csv = report_csv(report), header = csv.substr(0, csv.find('\n'));
  EXPECT_TRUE(
      header.starts_with("algorithm,backend,variant,peer,width,height,depth,channels,element,threads,samples,"));
  EXPECT_NE(csv.find("\nsobel,openmp,tiled,OpenCV,64,48,1,4,u16,4,8,2.18750,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",too slow\n"), std::string::npos) << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
  EXPECT_EQ(std::ranges::count(csv, ','), 3 * std::ranges::count(header, ','));
  const std::string table = report_table(report);
  EXPECT_NE(table.find("download ms"), std::string::npos) << table;
  EXPECT_NE(table.find("  The GPU counted for filter in 3 launches: 4,096 warp instructions.\n"
                       "  Its warps wait for a barrier 62.5 %.\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("skipped: too slow\n"), std::string::npos) << table;
  EXPECT_NE(table.find("Reading alone: 40.0 GB/s on 4 threads."), std::string::npos) << table;
  EXPECT_NE(table.find("rest 0.125 ms, in all 0.875 ms."), std::string::npos) << table;
  Report bare = report;
  bare.rows[0].samples.download.clear();
  EXPECT_EQ(report_table(bare).find("download ms"), std::string::npos);
}

/// A report with a row of the algorithm for each backend, variant, number of threads and time.
Report report_of_rows(const std::vector<std::tuple<Backend, const char*, int, double>>& rows) {
  Report report;
  for (const auto& [backend, variant, threads, ms] : rows) {
    Measurement row{.what = {.algorithm = "mean", .input = Shape::image(Element::u8, 1, 64, 48)},
                    .where = {.backend = backend, .variant = variant, .threads = threads}};
    row.samples.compute = {ms, ms, ms};
    report.rows.push_back(row);
  }
  return report;
}

TEST(ReportFile, TheSpeedUpOfOpenmpIsSplitIntoItsFactors) {
  const Report report = report_of_rows({{Backend::serial, "default", 1, 40.0},
                                        {Backend::openmp, "default", 1, 5.0},
                                        {Backend::openmp, "default", 4, 2.0},
                                        {Backend::openmp, "loops", 1, 50.0},
                                        {Backend::openmp, "loops", 4, 12.5}});
  const std::vector<SpeedupParts> parts = speedup_parts(report);
  ASSERT_EQ(parts.size(), 1u) << "loops, and rows on one thread, are parts themselves";
  EXPECT_DOUBLE_EQ(parts[0].over_baseline, 20.0);
  EXPECT_DOUBLE_EQ(parts[0].code, 0.8);
  EXPECT_DOUBLE_EQ(parts[0].vectors, 10.0);
  EXPECT_DOUBLE_EQ(parts[0].threads, 2.5);
  EXPECT_DOUBLE_EQ(parts[0].code * parts[0].vectors * parts[0].threads, parts[0].over_baseline);
  EXPECT_DOUBLE_EQ(parts[0].loop_threads, 4.0);
  EXPECT_NE(report_table(report).find("openmp default is 20.0x as fast as serial = 0.800x (loops, 1 thread) * 10.0x "
                                      "(method and vectors, 1 thread) * 2.50x (4 threads); threads alone: 4.00x"),
            std::string::npos)
      << report_table(report);
  const Report without_loops = report_of_rows({{Backend::serial, "default", 1, 40.0},
                                               {Backend::openmp, "default", 1, 5.0},
                                               {Backend::openmp, "default", 4, 2.0}});
  ASSERT_EQ(speedup_parts(without_loops).size(), 1u);
  EXPECT_DOUBLE_EQ(speedup_parts(without_loops)[0].vectors, 8.0);
  const Report without_one_thread =
      report_of_rows({{Backend::serial, "default", 1, 40.0}, {Backend::openmp, "default", 4, 2.0}});
  EXPECT_TRUE(speedup_parts(without_one_thread).empty());
  EXPECT_EQ(speedup_text(without_one_thread), "");
  ASSERT_EQ(unsplit_rows(without_one_thread).size(), 1u);
  EXPECT_EQ(unsplit_rows(without_one_thread)[0]->where.threads, 4);
  EXPECT_TRUE(unsplit_rows(report).empty());
}

TEST(ReportFile, TheSpeedUpOfCudaIsSplitIntoCpuKernelsAndTransfers) {
  Report report = report_of_rows({{Backend::serial, "default", 1, 40.0},
                                  {Backend::openmp, "default", 4, 4.0},
                                  {Backend::openmp, "loops", 4, 12.5},
                                  {Backend::openmp, "default", 2, 1.0},
                                  {Backend::cuda, "tiled", 1, 0.5}});
  report.environment.gpu = "NVIDIA H200";
  ASSERT_EQ(device_parts(report).size(), 1u);
  EXPECT_EQ(device_parts(report)[0].cpu_row, &report.rows[1]) << "the fastest of those with the most threads";
  EXPECT_NE(speedup_text(report).find("cuda tiled is 80.0x as fast as serial = 10.0x (openmp default, 4 threads) * "
                                      "8.00x (kernels alone).\n"),
            std::string::npos)
      << speedup_text(report);
  Samples& samples = report.rows.back().samples;
  samples.upload = {1.0};
  samples.download = {2.0};
  samples.allocation = {4.5};
  const DeviceParts parts = device_parts(report)[0];
  EXPECT_DOUBLE_EQ(parts.transfers, 0.0625);
  EXPECT_DOUBLE_EQ(parts.of_whole(), 5.0);
  EXPECT_NE(speedup_text(report).find("(kernels alone); with allocation and transfers: 5.00x.\n"), std::string::npos);
  report.environment.gpu = "emulated";
  EXPECT_TRUE(device_parts(report).empty()) << "its times are those of the CPU";
  EXPECT_TRUE(
      device_parts(report_of_rows({{Backend::serial, "default", 1, 4.0}, {Backend::cuda, "tiled", 1, 1.0}})).empty())
      << "there is no part to measure without openmp";
}

TEST(ReportFile, ABaselineWithThreadsHasThemInTheFactorOfThreads) {
  const std::optional<Speedup> speedup =
      speedup_of({.baseline = 10.0, .baseline_one = 15.0, .own_one = 12.0, .own = 4.0});
  ASSERT_TRUE(speedup);
  EXPECT_DOUBLE_EQ(speedup->over_baseline, 2.5);
  EXPECT_DOUBLE_EQ(speedup->vectors, 1.25);
  EXPECT_DOUBLE_EQ(speedup->threads, 2.0) << "3 times by its own threads, of which the baseline has 1.5 times";
  EXPECT_EQ(product_text(*speedup, "threads"), "1.25x (method and vectors, 1 thread) * 2.00x (threads)");
  EXPECT_FALSE(speedup_of({.baseline = 10.0, .baseline_one = 15.0, .own = 4.0}));
}

TEST(ReportFile, WhyNothingWasCountedIsSaidOnceForAllRows) {
  Report report = report_of_rows({{Backend::cuda, "default", 1, 1.0}, {Backend::cuda, "tiled", 1, 2.0}});
  for (Measurement& row : report.rows)
    row.counts.gpu.why_none = "the counters of the GPU need CUPTI";
  const std::string table = report_table(report), sentence = "The counters of the GPU need CUPTI.\n";
  ASSERT_NE(table.find(sentence), std::string::npos) << table;
  EXPECT_EQ(table.find(sentence, table.find(sentence) + 1), std::string::npos) << table;
}

TEST(ReportFile, ATableOfSkippedRowsHasNoColumnOfFigures) {
  Report report = complete_report();
  for (Measurement& row : report.rows) {
    row.samples.compute.clear();
    row.skipped = "no GPU";
  }
  const std::string table = report_table(report);
  EXPECT_NE(table.find("skipped: no GPU\n"), std::string::npos) << table;
  EXPECT_EQ(table.find("median ms"), std::string::npos) << table;
}

TEST(ReportFile, EarlierReportsAreReadWhole) {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/benchmarks")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.find("latency") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const std::vector<Report> reports = load_reports(entry.path());
    const std::vector<Report> again = parse_reports(dump(report_json(reports.front())), name);
    ASSERT_EQ(again.front().rows.size(), reports.front().rows.size());
    for (std::size_t i = 0; i < reports.front().rows.size(); ++i) {
      const Measurement &row = reports.front().rows[i], &copy = again.front().rows[i];
      EXPECT_EQ(row.key(), copy.key());
      EXPECT_EQ(row.samples.compute, copy.samples.compute);
      EXPECT_GT(row.gigabytes(), 0.0) << row.key();
      EXPECT_NEAR(row.gigabytes(), copy.gigabytes(), 1e-9 * row.gigabytes());
    }
  }
}

TEST(ReportFile, ValuesThatNoKernelHasAreRefused) {
  Json json = report_json(complete_report());
  json["results"][0]["kernels"][0]["grid"] = {1, 2};
  EXPECT_EQ(message_of(json.dump()), "x.json: results[0].kernels[0].grid: three numbers are wanted");
}

TEST(ReportFile, KeepsTheStagesOfARunInTheirOrder) {
  Json json = report_of({{64, 1.0}});
  json["results"][0]["stages_ms"] = {{"vertices", 0.5}, {"binning", 0.25}, {"rest", 0.125}, {"total", 0.875}};
  const Report report = parsed(json, "x.json");
  EXPECT_EQ(report.rows[0].counts.stages,
            (std::vector<std::pair<std::string, double>>{{"vertices", 0.5}, {"binning", 0.25}, {"rest", 0.125}}));
  json["results"][0]["stages_ms"]["vertices"] = "soon";
  EXPECT_TRUE(message_of(json.dump()).find("stages_ms.vertices") != std::string::npos) << message_of(json.dump());
}

TEST(ReportFile, WhatARowSaysBesideItsTimeIsReadFromItsReport) {
  Json json = report_of({{100, 2.0}});
  Json& result = json["results"][0];
  result["compute_ms"]["samples"] = {2.0, 2.0, 2.0};
  result["gb_s"] = 10.0;
  result["operations"] = 8e4;
  result["conditions"] = {{"other_load_cores", 1.5}, {"governor", "powersave"}, {"gpu_throttled", true}};
  result["counters"] = {{"instructions", 4e6}, {"cycles", 2e6}, {"cache_misses", 1e3}};
  const Report file = parsed(json, "x.json");
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
  EXPECT_TRUE(row_sentences(parsed(report_of({{64, 1.0}}), "x.json").rows[0]).empty());
}

TEST(ReportFile, FilesThatAreNoReportsAreRefusedWithOneLine) {
  for (const std::string text : {"[]", "{}", "{\"results\": []}", "{\"environment\": {}, \"results\": [{}]}", "{"}) {
    const std::string message = message_of(text);
    EXPECT_TRUE(message.starts_with("x.json")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  Json later = report_of({{64, 1.0}});
  later["version"] = 3;
  EXPECT_EQ(message_of(later.dump()), "x.json: a report of version 3; this program reads up to version 2");
  Json bare = report_of({{64, 1.0}});
  bare["results"][0]["compute_ms"] = {{"median", 1.0}};
  EXPECT_NE(message_of(bare.dump()).find("only reports with all samples"), std::string::npos);
}

}  // namespace
}  // namespace threadscape::app
