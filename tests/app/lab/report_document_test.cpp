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
