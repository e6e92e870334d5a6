// Reports for readers: the charts that follow from what varies, the commands that repeat the measurement, and the parts
// of the document.

#include "app/lab/report_document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace threadscape::app {
namespace {

Measurement sobel_row(Backend backend, int threads, std::int64_t width, double milliseconds) {
  Measurement made{.what = {.algorithm = "sobel", .input = Shape::image(Element::u8, 1, width, 100)},
                   .where = {.backend = backend, .threads = threads}};
  for (int i = -7; i <= 7; ++i)
    made.samples.compute.push_back(milliseconds * (1.0 + 0.001 * i));
  return made;
}

Measurement median_row(int size, int threads, double milliseconds) {
  Measurement made = sobel_row(Backend::openmp, threads, 64, milliseconds);
  made.what.algorithm = "median";
  made.what.params = {{.name = "size", .json = std::to_string(size), .text = std::to_string(size)}};
  return made;
}

std::vector<std::string> titles(const std::vector<Chart>& charts) {
  std::vector<std::string> all;
  for (const Chart& chart : charts)
    all.push_back(chart.title);
  return all;
}

TEST(ReportDocument, ChartsFollowFromWhatVaries) {
  const Report sizes{.name = "a",
                     .rows = {sobel_row(Backend::serial, 1, 64, 4.0), sobel_row(Backend::serial, 1, 128, 8.0)}};
  EXPECT_EQ(titles(charts_of({sizes})), std::vector<std::string>{"sobel: Time"});
  const Report threads{.name = "b",
                       .rows = {sobel_row(Backend::openmp, 1, 64, 4.0), sobel_row(Backend::openmp, 2, 64, 2.0)}};
  EXPECT_EQ(titles(charts_of({threads})), std::vector<std::string>{"sobel: Speed-up"});
  const Report parameter{.name = "c", .rows = {median_row(3, 2, 1.0), median_row(5, 2, 2.0)}};
  const std::vector<Chart> by_parameter = charts_of({parameter});
  EXPECT_EQ(titles(by_parameter), std::vector<std::string>{"median: Time"});
  EXPECT_EQ(by_parameter.front().x_label, "size");
  EXPECT_EQ(by_parameter.front().lines.front().x, (std::vector<double>{3, 5}));
  const Report one{.name = "d", .rows = {sobel_row(Backend::serial, 1, 64, 4.0), sobel_row(Backend::cuda, 1, 64, 1.0)}};
  const std::vector<Chart> bars = charts_of({one});
  EXPECT_EQ(titles(bars), std::vector<std::string>{"sobel: Stages"});
  EXPECT_EQ(bars.front().categories.size(), 2u);
  EXPECT_EQ(charts_of({sizes, parameter}).size(), 2u);
  EXPECT_TRUE(charts_of({Report{.name = "empty"}}).empty());
}

TEST(ReportDocument, CommandsRepeatTheMeasurement) {
  const Report sizes{.name = "a",
                     .rows = {sobel_row(Backend::serial, 1, 64, 4.0), sobel_row(Backend::openmp, 2, 64, 4.0),
                              sobel_row(Backend::openmp, 1, 128, 8.0)}};
  EXPECT_EQ(bench_commands(sizes),
            std::vector<std::string>{
                "threadscape bench sobel --sizes 64x100,128x100 --backends serial,openmp --threads 2,1"});
  // A size of 3 is the default.
  const Report swept{.name = "b", .rows = {median_row(3, 2, 1.0), median_row(5, 2, 2.0)}};
  EXPECT_EQ(bench_commands(swept),
            std::vector<std::string>{
                "threadscape bench median --sizes 64x100 --backends openmp --threads 2 --sweep size=3,5"});
  Report file{.name = "c", .rows = {median_row(5, 2, 1.0)}};
  file.rows.front().what.file = "a photo.png";
  EXPECT_EQ(bench_commands(file),
            std::vector<std::string>{
                "threadscape bench median --input 'a photo.png' --backends openmp --threads 2 --set size=5"});
  EXPECT_EQ(bench_commands(Report{.name = "d", .suite = "kernels"}),
            std::vector<std::string>{"threadscape bench --suite kernels"});
}

/// The text of all headings of a document.
std::vector<std::string> headings(const Document& document) {
  std::vector<std::string> all;
  for (const DocumentBlock& block : document.blocks)
    if (const auto* heading = std::get_if<DocumentHeading>(&block)) all.push_back(heading->text);
  return all;
}

TEST(ReportDocument, HasPicturesPlotsVerdictsTablesMachineAndCommands) {
  ReportParts parts;
  parts.pictures.push_back({.pixels = HostArray(Shape::image(Element::u8, 1, 4, 4)), .caption = "photo.png"});
  parts.reports = {
      Report{.name = "a", .rows = {sobel_row(Backend::serial, 1, 64, 4.0), sobel_row(Backend::openmp, 2, 64, 2.0)}}};
  const Document document = report_document(std::move(parts));
  EXPECT_EQ(document.title, "Report: sobel");
  EXPECT_EQ(headings(document), (std::vector<std::string>{"Pictures", "Plots", "What limits it", "Measurements",
                                                          "Machine", "To repeat it"}));
  const auto winner = std::ranges::find_if(document.blocks, [](const DocumentBlock& block) {
    const auto* table = std::get_if<DocumentTable>(&block);
    return table != nullptr && table->rows.front().front() == "fastest by values";
  });
  ASSERT_NE(winner, document.blocks.end());
  EXPECT_EQ(std::get<DocumentTable>(*winner).rows.at(1).at(1), "openmp, 2.00x");
}

/// The first table of a document whose first cell is this text; null if there is none.
const DocumentTable* table_from(const Document& document, const std::string& first) {
  for (const DocumentBlock& block : document.blocks)
    if (const auto* table = std::get_if<DocumentTable>(&block); table != nullptr && table->rows[0][0] == first)
      return table;
  return nullptr;
}

bool has_text(const Document& document, const std::string& words) {
  return std::ranges::any_of(document.blocks, [&words](const DocumentBlock& block) {
    const auto* text = std::get_if<DocumentText>(&block);
    return text != nullptr && text->text.find(words) != std::string::npos;
  });
}

TEST(ReportDocument, SplitsFactorsOverSerial) {
  Report report{.name = "a",
                .rows = {sobel_row(Backend::serial, 1, 64, 40.0), sobel_row(Backend::openmp, 1, 64, 5.0),
                         sobel_row(Backend::openmp, 4, 64, 2.0), sobel_row(Backend::openmp, 1, 64, 50.0)}};
  report.rows.back().where.variant = "loops";
  ReportParts parts;
  parts.reports = {report};
  const Document document = report_document(std::move(parts));
  const DocumentTable* const table = table_from(document, "row");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_EQ(std::vector<std::string>(table->rows[1].begin() + 1, table->rows[1].end()),
            (std::vector<std::string>{"20.0x", "0.800x", "10.0x", "2.50x", "not measured"}));
  EXPECT_FALSE(has_text(document, "--split"));
  std::erase_if(report.rows,
                [](const Measurement& row) { return row.where.backend == Backend::openmp && row.where.threads == 1; });
  ReportParts whole;
  whole.reports = {report};
  EXPECT_TRUE(has_text(report_document(std::move(whole)), "`threadscape bench sobel --split` measures the parts"));
}

TEST(ReportDocument, SplitsFactorsOfCudaIntoTheCpuAndTheKernels) {
  Report report{.name = "a",
                .environment = {.gpu = "NVIDIA H200"},
                .rows = {sobel_row(Backend::serial, 1, 64, 40.0), sobel_row(Backend::openmp, 4, 64, 2.0),
                         sobel_row(Backend::cuda, 1, 64, 0.5)}};
  report.rows.back().samples.upload = {0.5};
  report.rows.back().samples.download = {4.0};
  ReportParts parts;
  parts.reports = {report};
  const Document document = report_document(std::move(parts));
  const DocumentTable* const table = table_from(document, "row");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(std::vector<std::string>(table->rows[1].begin() + 1, table->rows[1].end()),
            (std::vector<std::string>{"80.0x", "20.0x, default, 4 threads", "4.00x", "8.00x"}));
  report.environment.gpu = "emulated";
  ReportParts emulated;
  emulated.reports = {report};
  EXPECT_EQ(table_from(report_document(std::move(emulated)), "row"), nullptr);
}

TEST(ReportDocument, AFactorIsTheRatioOfTheMediansThatStandBesideIt) {
  // Half of the runs of both backends wait for another program.
  Report report{.name = "a", .rows = {sobel_row(Backend::serial, 1, 64, 1.0), sobel_row(Backend::openmp, 2, 64, 1.0)}};
  report.rows[0].samples.compute = {2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  report.rows[1].samples.compute = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.25, 0.25, 0.25, 0.25, 0.25};
  ReportParts parts;
  parts.reports = {report};
  const Document document = report_document(std::move(parts));
  const DocumentTable* const table = table_from(document, "fastest by values");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows.at(1).at(1), "openmp, 20.0x (of all pairs of runs 10.0x)");
  EXPECT_NE(table->caption.find("ratio of the medians"), std::string::npos);
}

TEST(ReportDocument, ComparesTwoReportsOfTheSameWork) {
  const auto report = [](const std::string& name, double milliseconds) {
    return Report{.name = name, .rows = {sobel_row(Backend::serial, 1, 64, milliseconds)}};
  };
  ReportParts parts;
  parts.title = "Compared";
  parts.reports = {report("old", 4.0), report("new", 2.0)};
  const Document document = report_document(std::move(parts));
  EXPECT_EQ(document.title, "Compared");
  const auto compared = std::ranges::find_if(document.blocks, [](const DocumentBlock& block) {
    const auto* table = std::get_if<DocumentTable>(&block);
    return table != nullptr && table->rows.front().at(1) == "verdict";
  });
  ASSERT_NE(compared, document.blocks.end());
  EXPECT_EQ(std::get<DocumentTable>(*compared).rows.at(1).at(1), "FASTER");
}

}  // namespace
}  // namespace threadscape::app
