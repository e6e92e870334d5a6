// Tests of the plots of the lab as numbers. The reports are written by hand here, from laws with known parameters.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/lab/plot_histogram.h"
#include "app/measure/chart_svg.h"
#include "app/measure/chart_text.h"
#include "app/measure/plot_data.h"

namespace threadscape::app {
namespace {

Parameter number(const std::string& name, const std::string& value) {
  return {.name = name, .json = value, .text = value};
}
Parameter text(const std::string& name, const std::string& value) {
  return {.name = name, .json = '"' + value + '"', .text = value};
}

Measurement row(Backend backend, int threads, std::int64_t width, double milliseconds, double spread = 0.01) {
  Measurement made{
      .what = {.algorithm = "sobel", .params = {text("norm", "l1")}, .input = Shape::image(Element::u8, 1, width, 100)},
      .where = {.backend = backend, .threads = threads}};
  for (int i = -7; i <= 7; ++i)
    made.samples.compute.push_back(milliseconds * (1.0 + spread * i / 7.0));
  return made;
}

/// States the operations of a row, and the bytes by their bandwidth in GB/s.
void count(Measurement& row, double operations, double gb_s) {
  row.counts.operations = operations;
  row.counts.bytes = gb_s * 1e6 * row.samples.median();
}

LabReports of(std::vector<Measurement> rows) {
  return {Report{.name = "this session", .rows = std::move(rows)}};
}

TEST(PlotData, TimesBySizeHaveALineForEachBackendAndMarkTheCrossOver) {
  std::vector<Measurement> rows;
  for (const std::int64_t width : {1000, 10, 100}) {
    rows.push_back(row(Backend::serial, 1, width, 0.01 * static_cast<double>(width)));
    rows.push_back(row(Backend::cuda, 1, width, 0.5));
  }
  const Chart plot = times_by_size(of(rows));
  ASSERT_EQ(plot.lines.size(), 2U);
  EXPECT_EQ(plot.lines[0].label, "serial");
  EXPECT_EQ(plot.lines[0].x, (std::vector<double>{1000, 10000, 100000}));
  EXPECT_DOUBLE_EQ(plot.lines[0].y[1], 1.0);
  EXPECT_LT(plot.lines[0].low[1], 1.0);
  EXPECT_EQ(plot.lines[0].count[1], 15U);
  ASSERT_EQ(plot.marks.size(), 1U);
  EXPECT_NEAR(plot.marks[0].x, 5000.0, 1e-6);
  EXPECT_EQ(plot.marks[0].label, "cuda wins from 5000");
}

TEST(PlotData, AColumnOfReportsTakesThePlaceOfTheTimes) {
  std::vector<Measurement> rows{row(Backend::serial, 1, 100, 2.0), row(Backend::cuda, 1, 100, 1.0)};
  rows[1].samples.upload = {0.5, 0.5, 0.5};
  const Chart plot = times_by_size(of(rows), find_figure("upload_ms"));
  EXPECT_EQ(plot.y_label, "upload_ms");
  ASSERT_EQ(plot.lines.size(), 1U) << "runs on the CPU have no uploads";
  EXPECT_EQ(plot.lines[0].label, "cuda");
  EXPECT_EQ(plot.lines[0].y, std::vector<double>{0.5});
  EXPECT_TRUE(plot.marks.empty());
  const Chart none = times_by_parameter(of(rows), "norm", find_figure("of_copy"));
  EXPECT_TRUE(none.lines.empty());
  EXPECT_EQ(none.notes, std::vector<std::string>{"No row here has a value in the column of_copy."});
}

TEST(PlotData, PeersHaveLinesOfTheirOwnAndNamesOfTheirOwn) {
  std::vector<Measurement> rows;
  for (const int threads : {1, 2}) {
    rows.push_back(row(Backend::openmp, threads, 100, 4.0 / threads));
    rows.push_back(row(Backend::openmp, threads, 100, 6.0 / threads));
    rows.back().where.peer = "OpenCV Sobel";
  }
  const Chart plot = speed_ups(of(rows), false);
  ASSERT_EQ(plot.lines.size(), 2U);
  std::vector<std::string> labels{plot.lines[0].label, plot.lines[1].label};
  std::ranges::sort(labels);
  EXPECT_EQ(labels, (std::vector<std::string>{"OpenCV Sobel", "openmp"}));
  EXPECT_DOUBLE_EQ(plot.lines[0].y[1], 2.0);
  // What is explained in words is the own code, although a peer was measured after it, and so are cross-overs.
  const LabReports reports = of(rows);
  const Measurement* own = explained_row(reports, speed_ups(reports, false));
  ASSERT_NE(own, nullptr);
  EXPECT_TRUE(own->where.peer.empty());
  EXPECT_EQ(why_facts(reports, *own, 2).scaling.size(), 2U);
  std::vector<Measurement> sizes;
  for (const std::int64_t width : {10, 1000}) {
    sizes.push_back(row(Backend::serial, 1, width, 0.01 * static_cast<double>(width)));
    sizes.push_back(row(Backend::openmp, 2, width, 1.0));
    sizes.back().where.peer = "OpenCV Sobel";
  }
  EXPECT_TRUE(times_by_size(of(sizes)).marks.empty());
  EXPECT_EQ(winners(of(sizes)).at(0, 1).winner, Backend::serial);
}

TEST(PlotData, ParametersThatFollowFromTheSizeDoNotMakeLines) {
  std::vector<Measurement> rows;
  for (const int n : {3, 4, 5}) {
    rows.push_back(row(Backend::serial, 1, 1 << n, 1.0));
    rows.back().what.params = {number("n", std::to_string(n)), number("roughness", "0.5")};
  }
  EXPECT_EQ(times_by_size(of(rows)).lines.size(), 1U);
  rows.push_back(row(Backend::serial, 1, 8, 1.0));
  rows.back().what.params = {number("n", "3"), number("roughness", "0.7")};
  EXPECT_EQ(times_by_size(of(rows)).lines.size(), 2U);
}

TEST(PlotData, ReportsOfOtherMachinesLieInTheSamePlot) {
  LabReports reports = of({row(Backend::serial, 1, 10, 1.0)});
  reports.push_back(Report{.name = "old", .rows = {row(Backend::serial, 1, 10, 2.0)}});
  const Chart plot = times_by_size(reports);
  ASSERT_EQ(plot.lines.size(), 2U);
  EXPECT_EQ(plot.lines[1].label, "serial, old");
}

TEST(PlotData, ChannelsAndElementTypesMakeLines) {
  std::vector<Measurement> rows;
  for (const int threads : {1, 2, 4})
    for (const int channels : {1, 4}) {
      rows.push_back(row(Backend::openmp, threads, 100, 10.0 * channels / threads));
      rows.back().what.input.channels = channels;
    }
  const Chart scaling = speed_ups(of(rows), false);
  ASSERT_EQ(scaling.lines.size(), 2U);
  EXPECT_EQ(scaling.lines[0].label, "openmp u8 x 1");
  EXPECT_EQ(scaling.lines[1].label, "openmp u8 x 4");
  EXPECT_EQ(scaling.lines[1].x, (std::vector<double>{1, 2, 4}));
  EXPECT_NEAR(scaling.lines[1].y[2], 4.0, 1e-9);
  const Chart times = times_by_size(of({rows[0], rows[1]}));
  ASSERT_EQ(times.lines.size(), 2U);
  EXPECT_NE(times.lines[0].work, times.lines[1].work);
  EXPECT_EQ(winners(of(rows)).rows, (std::vector<std::string>{"sobel u8 x 1", "sobel u8 x 4"}));
  // What all rows share is not repeated in every label.
  EXPECT_EQ(times_by_size(of({rows[1]})).lines[0].label, "openmp");
  EXPECT_EQ(winners(of({rows[1]})).rows, (std::vector<std::string>{"sobel"}));
}

TEST(PlotData, ChainsOfOtherStepsHaveLinesOfTheirOwn) {
  std::vector<Measurement> rows;
  for (const std::int64_t width : {100, 200})
    for (const bool both : {false, true}) {
      rows.push_back(row(Backend::openmp, 2, width, both ? 2.0 : 1.0));
      rows.back().what.algorithm = "chain";
      rows.back().what.params = {
          {.name = "steps",
           .json = both ? R"([{"algorithm": "median"}, {"algorithm": "sobel"}])" : R"([{"algorithm": "median"}])",
           .text = both ? "median+sobel" : "median"}};
    }
  const Chart plot = times_by_size(of(rows));
  ASSERT_EQ(plot.lines.size(), 2U);
  for (const ChartLine& line : plot.lines) {
    EXPECT_EQ(line.x.size(), 2U) << line.label;
    EXPECT_NEAR(line.y[0], line.label == "openmp steps=median+sobel" ? 2.0 : 1.0, 1e-9) << line.label;
  }
}

TEST(PlotData, ValuesThatAreNoNumbersAreCategories) {
  std::vector<Measurement> rows;
  for (const char* norm : {"l2", "l1", "max"}) {
    rows.push_back(row(Backend::serial, 1, 100, 2.0));
    rows.back().what.params = {text("norm", norm), number("size", "3")};
  }
  const Chart plot = times_by_parameter(of(rows), "norm");
  EXPECT_EQ(plot.categories, (std::vector<std::string>{"l2", "l1", "max"}));
  ASSERT_EQ(plot.lines.size(), 1U);
  EXPECT_EQ(plot.lines[0].x, (std::vector<double>{0, 1, 2}));
  EXPECT_NE(chart_csv(plot).find(",l1,1,2,"), std::string::npos);
  const Chart numbers = times_by_parameter(of(rows), "size");
  EXPECT_TRUE(numbers.categories.empty());
  EXPECT_EQ(numbers.lines[0].x, (std::vector<double>{3}));
  EXPECT_TRUE(times_by_parameter(of(rows), "radius").lines.empty());
}

TEST(PlotData, SpeedUpsShowTheLawThatWasPutIn) {
  std::vector<Measurement> rows;
  for (const int threads : {1, 2, 4, 8})
    rows.push_back(row(Backend::openmp, threads, 100, 10.0 * (0.1 + 0.9 / threads)));
  const Chart plot = speed_ups(of(rows), false);
  ASSERT_EQ(plot.lines.size(), 1U);
  EXPECT_NEAR(plot.lines[0].y[3], 1.0 / (0.1 + 0.9 / 8), 1e-9);
  ASSERT_EQ(plot.notes.size(), 1U);
  EXPECT_TRUE(plot.notes[0].starts_with("openmp: serial fraction 10.0 %")) << plot.notes[0];
  ASSERT_EQ(plot.guides.size(), 2U);
  EXPECT_NEAR(plot.guides[0].y.back(), plot.lines[0].y[3], 1e-9);
  EXPECT_DOUBLE_EQ(plot.guides[1].y.back(), 8.0);
  const Chart efficiency = speed_ups(of(rows), true);
  EXPECT_NEAR(efficiency.lines[0].y[3], plot.lines[0].y[3] / 8, 1e-12);
  // Whatever was measured without one thread has nothing to refer to, and says so.
  const Chart without = speed_ups(of({rows[1], rows[2]}), false);
  EXPECT_TRUE(without.lines.empty());
  EXPECT_EQ(without.notes.size(), 1U);
}

TEST(PlotData, SpeedUpsSayWhatTheFactorOverSerialIsMadeOf) {
  std::vector<Measurement> rows{row(Backend::serial, 1, 100, 40.0)};
  rows.front().where.variant = "default";
  for (const int threads : {1, 2, 4}) {
    rows.push_back(row(Backend::openmp, threads, 100, 8.0 / threads));
    rows.back().where.variant = "default";
    rows.push_back(row(Backend::openmp, threads, 100, 40.0 / threads));
    rows.back().where.variant = "loops";
  }
  const Chart plot = speed_ups(of(rows), false);
  const auto split = [](const std::string& note) { return note.find("as fast as serial") != std::string::npos; };
  ASSERT_EQ(std::ranges::count_if(plot.notes, split), 1) << "only on all threads";
  EXPECT_NE(
      std::ranges::find_if(plot.notes, split)
          ->find("20.0x as fast as serial = 1.00x (loops, 1 thread) * 5.00x (method and vectors, 1 thread) * 4.00x (4"),
      std::string::npos)
      << *std::ranges::find_if(plot.notes, split);
  rows.erase(rows.begin());
  EXPECT_EQ(std::ranges::count_if(speed_ups(of(rows), false).notes, split), 0);
}

TEST(PlotData, WeakScalingNeedsInputsThatGrow) {
  std::vector<Measurement> rows;
  for (const int threads : {1, 2, 4})
    rows.push_back(row(Backend::openmp, threads, 100 * threads, 5.0));
  const Chart plot = weak_scaling(of(rows));
  ASSERT_EQ(plot.lines.size(), 1U);
  EXPECT_NEAR(plot.lines[0].y[2], 4.0, 1e-9);
  const Chart same_size = weak_scaling(of({row(Backend::openmp, 1, 100, 5.0), row(Backend::openmp, 2, 100, 3.0)}));
  EXPECT_TRUE(same_size.lines.empty());
  ASSERT_EQ(same_size.notes.size(), 1u);
  EXPECT_TRUE(same_size.notes.front().starts_with("No results here vary in threads and size: ")) << "it says why";
  EXPECT_TRUE(weak_scaling({}).notes.empty()) << "nothing was measured";
}

TEST(PlotData, StagesAreStackedInOrder) {
  Measurement gpu = row(Backend::cuda, 1, 100, 2.0);
  gpu.samples.upload = {3.0};
  gpu.samples.download = {1.0};
  const Chart plot = stages(of({row(Backend::serial, 1, 100, 9.0), gpu}), {});
  ASSERT_EQ(plot.categories.size(), 2U);
  EXPECT_EQ(plot.lines[0].y, (std::vector<double>{0, 3}));
  EXPECT_EQ(plot.lines[1].y, (std::vector<double>{9, 2}));
  EXPECT_EQ(plot.lines[2].y, (std::vector<double>{0, 1}));
  EXPECT_EQ(plot.lines[1].count, (std::vector<std::size_t>{15, 15}));
  EXPECT_LT(plot.lines[1].low[1], 2.0);
  EXPECT_TRUE(plot.shares);
  const Chart alone = stages(of({gpu}), {.transfers = false, .shares = false});
  EXPECT_EQ(alone.lines[0].y.front() + alone.lines[2].y.front(), 0.0);
  EXPECT_EQ(alone.lines[1].y.front(), 2.0);
  EXPECT_FALSE(alone.shares);
}

TEST(PlotData, StagesOfARunStandInThePlaceOfItsComputation) {
  Measurement drawn = row(Backend::openmp, 2, 100, 8.0);
  drawn.samples.upload = {1.0};
  drawn.counts.stages = {{"vertices", 1.0}, {"raster", 2.0}, {"rest", 1.0}};  // 4 ms with clocks, 8 ms without.
  const Chart alone = stages(of({drawn}), {});
  std::vector<std::string> names;
  for (const ChartLine& line : alone.lines)
    names.push_back(line.label);
  EXPECT_EQ(names, (std::vector<std::string>{"upload", "vertices", "raster", "rest", "download"}));
  EXPECT_EQ(alone.lines[1].y.front(), 2.0);
  EXPECT_EQ(alone.lines[2].y.front(), 4.0);
  EXPECT_TRUE(alone.lines[2].low.empty());
  ASSERT_EQ(alone.notes.size(), 1U);

  // A row without stages has one part between the transfers, and no time in those of the other row.
  const Chart both = stages(of({drawn, row(Backend::serial, 1, 100, 9.0)}), {});
  ASSERT_EQ(both.lines.size(), 6U);
  EXPECT_EQ(both.lines[2].y, (std::vector<double>{4.0, 0.0}));
  EXPECT_EQ(both.lines[4].label, "compute");
  EXPECT_EQ(both.lines[4].y, (std::vector<double>{0.0, 9.0}));
}

TEST(PlotData, TheCostsOfFramesAreAHistogramWithAllPartsInWords) {
  FrameCosts costs;
  EXPECT_TRUE(frame_histogram(costs, FramePart::panels).lines.empty());
  EXPECT_EQ(frame_histogram(costs, FramePart::panels).notes.back(), "No frame was drawn yet.");
  for (int i = 1; i <= 1000; ++i) {
    costs.add(FramePart::panels, 0.001 * i);
    costs.add(FramePart::shown, 16.0);
  }
  ASSERT_EQ(costs.of(FramePart::panels).size(), FrameCosts::kept);  // The last ones: 0.401 to 1 ms.
  EXPECT_DOUBLE_EQ(costs.of(FramePart::panels).front(), 0.401);
  const Chart plot = frame_histogram(costs, FramePart::panels);
  EXPECT_EQ(plot.title, "Frames: panels, CPU");
  EXPECT_TRUE(plot.notes.back().starts_with("Median and 99 % in ms: panels, CPU 0.70")) << plot.notes.back();
  EXPECT_TRUE(plot.notes.back().ends_with("; waiting for the screen 16.0, 16.0.")) << plot.notes.back();
}

TEST(PlotData, TheMatrixOfWinnersKeepsTheTimesOfAllBackends) {
  const WinMatrix matrix = winners(of({row(Backend::serial, 1, 100, 3.0), row(Backend::openmp, 2, 100, 1.0)}));
  const WinCell& cell = matrix.at(0, 0);
  EXPECT_EQ(cell.winner, Backend::openmp);
  ASSERT_EQ(cell.times.size(), 2U);
  EXPECT_EQ(cell.times[0].backend, Backend::openmp);
  EXPECT_EQ(cell.times[0].median.median, 1.0);
  EXPECT_EQ(cell.times[1].median.median, 3.0);
  EXPECT_GT(cell.times[1].median.interval.high, 3.0);
  EXPECT_EQ(cell.times[1].samples, 15U);
}

TEST(PlotData, TheRooflinePlacesAPointByItsOperationsAndBytes) {
  Measurement known = row(Backend::openmp, 4, 100, 2.0);
  count(known, 8e6, 10.0);  // In 2 ms 4e9 operations per second, and 2e7 bytes: 0.4 operations per byte.
  const Roofline all{.memories = {{"memory", 12.5e9}}, .arithmetics = {{"SIMD", 1e11}}};
  const HostRooflines ceilings{.one_thread = {}, .all_threads = all};
  const Chart plot = roofline(of({known, row(Backend::serial, 1, 100, 2.0)}), ceilings);
  ASSERT_EQ(plot.lines.size(), 1U);
  EXPECT_NEAR(plot.lines[0].x[0], 0.4, 1e-12);
  EXPECT_NEAR(plot.lines[0].y[0], 4.0, 1e-12);
  EXPECT_EQ(plot.notes[0], plot.lines[0].label + ": at 80 % of memory.");
  EXPECT_EQ(plot.notes[1], "1 row is left out, because the number of operations of its algorithm is not known.");
  ASSERT_EQ(plot.guides.size(), 2U);
  EXPECT_NEAR(plot.guides[0].x.back(), 8.0, 1e-9);
}

TEST(PlotData, TheRooflineComparesOnlyWhatRanOnThisCpuWithItsThreads) {
  Measurement alone = row(Backend::serial, 1, 100, 2.0);
  count(alone, 8e6, 10.0);
  Measurement several = alone, on_gpu = alone;
  several.where.backend = Backend::openmp;
  several.where.threads = 4;
  on_gpu.where.backend = Backend::cuda;
  LabReports reports = of({alone, several, on_gpu});
  reports.push_back(Report{.name = "old", .rows = {alone, on_gpu}});
  const HostRooflines ceilings{.one_thread = {.memories = {{"memory", 12.5e9}}, .arithmetics = {{"SIMD", 1e11}}},
                               .all_threads = {.memories = {{"memory", 50e9}}, .arithmetics = {{"SIMD", 4e11}}}};
  const Chart plot = roofline(reports, ceilings);
  ASSERT_EQ(plot.lines.size(), 2U);
  ASSERT_EQ(plot.notes.size(), 3U);
  EXPECT_TRUE(plot.notes[0].ends_with(": at 80 % of memory of one thread.")) << plot.notes[0];
  EXPECT_TRUE(plot.notes[1].ends_with(": at 20 % of memory.")) << plot.notes[1];
  EXPECT_EQ(plot.notes[2], "3 rows are left out, because their reports do not state how fast a copy is.");
  ASSERT_EQ(plot.guides.size(), 4U);
  EXPECT_EQ(plot.guides[0].label, "memory");
  EXPECT_EQ(plot.guides[3].label, "SIMD of one thread");
  EXPECT_EQ(roofline(of({alone}), ceilings).guides[0].label, "memory of one thread");
  EXPECT_EQ(roofline(of({several}), ceilings).guides.size(), 2U);
}

TEST(PlotData, RowsOnTheGpuAreUnderTheCeilingsThatTheirReportStates) {
  Measurement gpu = row(Backend::cuda, 1, 100, 2.0);
  count(gpu, 8e9, 1000.0);  // In 2 ms 4e12 operations per second, and 2e9 bytes: 4 operations per byte.
  gpu.limits.copy = 4e12;
  const CopyLimits limits{.device_ceilings = {.reading = {{"L2", 8e12}, {"memory", 4e12}},
                                              .arithmetic = {{"FP32", 5e12}, {"tensor FP16", 5e13}}}};
  LabReports reports = of({gpu});
  reports.front().limits = limits;
  reports.push_back(Report{.name = "there", .limits = limits, .rows = {gpu}});
  const Chart plot = roofline(reports, {});
  ASSERT_EQ(plot.lines.size(), 2U);
  ASSERT_EQ(plot.notes.size(), 2U);
  EXPECT_TRUE(plot.notes[0].ends_with(": at 80 % of FP32 of the GPU.")) << plot.notes[0];
  EXPECT_TRUE(plot.notes[1].ends_with(": at 80 % of FP32 of the GPU, there.")) << plot.notes[1];
  ASSERT_EQ(plot.guides.size(), 8U);  // Two memories and two kinds of arithmetic for each report, and no copy.
  EXPECT_EQ(plot.guides[0].label, "memory of the GPU");
  EXPECT_EQ(plot.guides[7].label, "tensor FP16 of the GPU, there");
  EXPECT_NEAR(plot.guides[3].y[0], 5e4, 1e-6);
}

TEST(PlotData, RowsOfOtherMachinesAreUnderTheCopyOfTheirReport) {
  Measurement gpu = row(Backend::cuda, 1, 100, 2.0);
  count(gpu, 8e6, 3000.0);
  gpu.limits.copy = 4e12;
  Measurement cpu = row(Backend::openmp, 16, 100, 2.0);
  count(cpu, 8e6, 10.0);
  cpu.limits.copy = 1e11;
  LabReports reports = of({});
  reports.push_back(Report{.name = "there", .rows = {gpu, cpu}});
  const Chart plot = roofline(reports, {});
  ASSERT_EQ(plot.lines.size(), 2U);
  ASSERT_EQ(plot.guides.size(), 2U);
  EXPECT_EQ(plot.guides[0].label, "copy on 16 threads, there");
  EXPECT_EQ(plot.guides[1].label, "copy on the GPU, there");
  // A copy of 4000 GB/s: at one operation per byte the line is at 4000e9 operations per second.
  EXPECT_NEAR(plot.guides[1].y[0] / plot.guides[1].x[0], 4000.0, 1e-6);
  EXPECT_NEAR(plot.guides[0].y[0] / plot.guides[0].x[0], 100.0, 1e-6);
  EXPECT_GT(plot.guides[0].x[1], 0.4);
  EXPECT_TRUE(plot.notes[1].ends_with(": at 75 % of a plain copy.")) << plot.notes[1];
}

TEST(PlotData, TheHistogramCountsEverySampleUpToThe99thPercentile) {
  std::vector<double> samples;
  for (int i = 0; i < 1000; ++i)
    samples.push_back(1.0 + 0.001 * i);
  const Chart plot = histogram("Runs", samples);
  double sum = 0.0;
  for (const double count : plot.lines[0].y)
    sum += count;
  EXPECT_EQ(sum, 990.0);
  EXPECT_NEAR(plot.marks[0].x, 1.4995, 1e-9);
  EXPECT_TRUE(histogram("Runs", {}).lines.empty());
  EXPECT_EQ(histogram("Runs", {2.0, 2.0}).lines[0].y[0], 2.0);
  // Three digits would make 2.98 of all three quantiles.
  const Chart close = histogram("Runs", {2.9801, 2.9803, 2.9803, 2.9803, 2.9848, 2.9848});
  EXPECT_EQ(close.marks[0].label, "median 2.98");
  EXPECT_EQ(close.marks[1].label, "95 % 2.985");
}

TEST(PlotData, TheFactsOfARowAreThoseOfItsReport) {
  std::vector<Measurement> rows;
  for (const int threads : {1, 2, 4, 8}) {
    rows.push_back(row(Backend::openmp, threads, 100, 10.0 * (0.5 + 0.5 / threads)));
    rows.back().conditions.other_load = 0.1 * threads;
  }
  const LabReports reports{of(rows).front(), of(rows).front()};
  const WhyFacts facts = why_facts(reports, reports[0].rows.back(), 4);
  EXPECT_EQ(facts.scaling.size(), 4U);
  EXPECT_EQ(facts.scaling[1].samples.size(), 15U);
  EXPECT_NEAR(facts.compute_ms, 5.625, 1e-9);
  EXPECT_DOUBLE_EQ(facts.other_load, 0.8);
  EXPECT_EQ(facts.missing_runs, 0U);
  EXPECT_EQ(facts.physical_cores, 4);
  EXPECT_EQ(why_facts(reports, reports[1].rows.back(), 4).physical_cores, 0) << "it may be another machine";
  rows.back().samples.compute.resize(2);
  const LabReports few = of(rows);
  EXPECT_EQ(why_facts(few, few[0].rows.back(), 4).missing_runs, 4U);
}

TEST(PlotData, OnlyRowsThatThePlotDrawsAreExplained) {
  const LabReports reports =
      of({row(Backend::openmp, 1, 100, 4.0), row(Backend::openmp, 2, 100, 2.0), row(Backend::serial, 1, 100, 5.0)});
  EXPECT_EQ(explained_row(reports, times_by_size(reports)), &reports[0].rows[2]);
  EXPECT_EQ(explained_row(reports, stages(reports, {})), &reports[0].rows[2]);
  const Chart plot = speed_ups(reports, false);
  EXPECT_EQ(explained_row(reports, plot), &reports[0].rows[1]) << "serial is no number of threads";
  EXPECT_EQ(explained_row(reports, plot, {true}), nullptr) << "the legend has switched its line off";
  EXPECT_EQ(explained_row({}, plot), nullptr);
}

TEST(PlotData, CrossOversThatTheSamplesDoNotBearOutAreUnclear) {
  const Chart plot = times_by_size(of({row(Backend::serial, 1, 10, 0.5), row(Backend::serial, 1, 1000, 1.1, 0.5),
                                       row(Backend::cuda, 1, 10, 1.0), row(Backend::cuda, 1, 1000, 1.0, 0.5)}));
  ASSERT_EQ(plot.marks.size(), 1U);
  EXPECT_TRUE(plot.marks[0].label.ends_with(": UNCLEAR")) << plot.marks[0].label;
}

TEST(PlotData, TheDrawingHoldsEveryLineMarkerAndLabel) {
  std::vector<Measurement> rows;
  for (const std::int64_t width : {10, 100, 1000})
    for (const Backend backend : {Backend::serial, Backend::openmp})
      rows.push_back(row(backend, 1, width, static_cast<double>(width) * (backend == Backend::serial ? 1.0 : 0.2)));
  const std::string svg = chart_svg(times_by_size(of(rows)));
  const auto count = [&svg](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("<polyline"), 2U);
  EXPECT_EQ(count("<circle") + count("<polygon"),
            3U * 2U + 2U);  // A marker for every point, and for every entry of the legend.
  EXPECT_EQ(count(">serial<"), 1U);
  EXPECT_EQ(count("nan"), 0U);
  EXPECT_EQ(count("inf"), 0U);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const Chart& other : {stages(of(rows), {}), histogram("Runs", rows[0].samples.compute), speed_ups({}, false)})
    EXPECT_EQ(chart_svg(other).find("nan"), std::string::npos) << other.title;
}

}  // namespace
}  // namespace threadscape::app
