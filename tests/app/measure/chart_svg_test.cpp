// Charts as drawings without OpenGL, and as tables.

#include "app/measure/chart_svg.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "app/measure/chart_layout.h"
#include "app/measure/chart_text.h"

namespace threadscape::app {
namespace {

std::size_t count(const std::string& svg, const std::string& text) {
  std::size_t found = 0;
  for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1))
    ++found;
  return found;
}

/// Two backends over three cases as bars, beside the figures of a document and a backend that was not measured.
Chart bars() {
  Chart chart{.title = "Speed-up <by> case", .y_label = "times", .style = ChartStyle::bars, .unit = "x"};
  chart.categories = {"median 3", "median 5", "median 7"};
  chart.lines = {{.label = "serial", .series = "serial", .x = {0, 1, 2}, .y = {1, 1, 1}},
                 {.label = "cuda", .series = "cuda", .absent = "no GPU here"},
                 {.label = "openmp", .series = "openmp", .x = {0, 1, 2}, .y = {3.5, 2, 40}},
                 {.label = "openmp (document)", .series = "openmp", .x = {0, 2}, .y = {3, 31}, .stated = true}};
  chart.notes = {"Left out: openmp at 9x9: too slow."};
  return chart;
}

TEST(ChartSvg, BarsStandInGroupsWithTheirValues) {
  for (const bool logarithmic : {false, true}) {
    Chart chart = bars();
    chart.log_y = logarithmic;
    const std::string svg = chart_svg(chart);
    // The background, the frame of the axes, and the bars: those of the document are hollow.
    EXPECT_EQ(count(svg, "<rect"), 2U + 8U);
    EXPECT_EQ(count(svg, "fill=\"#ffffff\" stroke-width"), 2U + 1U) << "two bars and their entry in the legend";
    EXPECT_EQ(count(svg, ">40x<"), 1U);
    EXPECT_EQ(count(svg, ">3.5x<"), 1U);
    EXPECT_EQ(count(svg, ">Speed-up &lt;by&gt; case<"), 1U);
    EXPECT_EQ(count(svg, ">cuda: no GPU here.<"), 1U) << "what is missing is a sentence, not an entry of the legend";
    EXPECT_EQ(count(svg, ">cuda<"), 0U);
    EXPECT_EQ(count(svg, ">Left out: openmp at 9x9: too slow.<"), 1U);
    EXPECT_EQ(count(svg, "nan") + count(svg, "inf") + count(svg, "height=\"-"), 0U);
  }
}

TEST(ChartSvg, LinesOfADocumentAreDashedInTheColourOfTheirSeries) {
  Chart chart{.title = "Time", .x_label = "threads", .y_label = "ms"};
  chart.lines = {{.label = "a", .series = "a", .x = {1, 2, 4}, .y = {9, 5, 3}},
                 {.label = "b", .series = "b", .x = {1, 2, 4}, .y = {8, 4, 2}},
                 {.label = "b (document)", .series = "b", .x = {1, 4}, .y = {7, 3}, .stated = true}};
  EXPECT_EQ(look_of(chart, 2), 1U);
  EXPECT_EQ(look_of(bars(), 2), 1U) << "a line that was not measured takes no colour";
  EXPECT_EQ(look_of(bars(), 3), 1U);
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(count(svg, "stroke=\"#d55e00\" stroke-dasharray"), 1U);
  // Every number of threads that was measured has a tick.
  for (const char* threads : {">1<", ">2<", ">4<"})
    EXPECT_GE(count(svg, threads), 1U) << threads;
}

TEST(ChartSvg, StacksAreSharesOfTheirTotalsWhereTheChartSaysSo) {
  Chart chart{.title = "Stages", .y_label = "ms", .style = ChartStyle::stacked, .categories = {"a", "b"}};
  chart.lines = {{.label = "upload", .x = {0, 1}, .y = {1, 30}}, {.label = "compute", .x = {0, 1}, .y = {3, 10}}};
  EXPECT_EQ(y_range(chart).second, 42.0);
  EXPECT_NE(chart_svg(chart).find(">ms</text>"), std::string::npos);
  chart.shares = true;
  const std::string svg = chart_svg(chart);
  EXPECT_NE(svg.find(">% of the total</text>"), std::string::npos);
  // 25 %, 75 %, 75 % and 25 % of the 350 units between the axes.
  EXPECT_EQ(count(svg, "height=\"87.5\""), 2u);
  EXPECT_EQ(count(svg, "height=\"262.5\""), 2u);
}

TEST(ChartSvg, APageHoldsItsHeadingAndAllCharts) {
  ChartPage page{
      .title = "Tiny", .source = "This test.", .note = std::string(400, 'n') + " end", .machines = {"CPU A"}};
  page.charts = {bars(), bars(), bars()};
  page.charts[1].title = "Second";
  const std::string svg = page_svg(page);
  EXPECT_EQ(count(svg, "<svg"), 1U + 3U);
  EXPECT_EQ(count(svg, "</svg>"), 1U + 3U);
  for (const char* text : {">Tiny<", ">This test.<", ">end<", ">Measured on CPU A<", ">Second<"})
    EXPECT_EQ(count(svg, text), 1U) << text;
  double left = 0.0, top = 0.0, width = 0.0, height = 0.0;
  ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("viewBox"), "viewBox=\"%lf %lf %lf %lf", &left, &top, &width, &height),
            4);
  EXPECT_GE(width, 2 * 960.0) << "two columns";
  EXPECT_GE(height, 2 * 540.0);
  // A chart without a point says why.
  Chart empty{.title = "Nothing"};
  empty.lines = {{.label = "cuda", .absent = "no GPU here"}};
  EXPECT_EQ(count(chart_svg(empty), ">cuda: no GPU here.<"), 1U);
  EXPECT_EQ(count(chart_svg(empty), "nan"), 0U);
}

TEST(ChartText, TheTableHasARowForEveryPoint) {
  Chart plot{.title = "Time, \"all\"", .x_label = "x", .y_label = "ms"};
  plot.lines = {{.label = "serial", .x = {1, 2}, .y = {3, 4}, .low = {2.5, 3.5}, .high = {3.5, 4.5}, .count = {9, 15}}};
  plot.guides = {{.label = "ideal", .x = {1}, .y = {1}}};
  EXPECT_EQ(chart_csv(plot),
            "plot,line,category,x,y,low,high,samples\n"
            "\"Time, \"\"all\"\"\",serial,,1,3,2.5,3.5,9\n"
            "\"Time, \"\"all\"\"\",serial,,2,4,3.5,4.5,15\n"
            "\"Time, \"\"all\"\"\",ideal,,1,1,,,\n");
}

/// The numbers of the attribute viewBox of a drawing: left, top, width, height.
std::array<double, 4> view_box(const std::string& svg) {
  std::array<double, 4> box{};
  const std::size_t at = svg.find("viewBox=\"");
  EXPECT_EQ(std::sscanf(svg.c_str() + at, "viewBox=\"%lf %lf %lf %lf\"", &box[0], &box[1], &box[2], &box[3]), 4);
  return box;
}

/// The ordinate of a text of a drawing.
double place_of(const std::string& svg, const std::string& text) {
  const std::size_t end = svg.find(">" + text + "<"), begin = svg.rfind("<text", end);
  double x = 0.0, y = 0.0;
  EXPECT_EQ(std::sscanf(svg.c_str() + begin, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2) << text;
  return y;
}

TEST(ChartSvg, TheDrawingGrowsWithItsLabelsAndItsLegend) {
  Chart plot{.title = "Time", .x_label = "threads", .y_label = "ms"};
  plot.lines = {{.label = "serial", .x = {1, 2}, .y = {3, 4}}};
  EXPECT_EQ(view_box(chart_svg(plot)), (std::array<double, 4>{0, 0, 960, 540}));
  for (int i = 0; i < 40; ++i)
    plot.lines.push_back({.label = "openmp with a long name " + std::to_string(i), .x = {1, 2}, .y = {3, 4}});
  const std::string longer = chart_svg(plot);
  EXPECT_GT(view_box(longer)[3], place_of(longer, "openmp with a long name 39"));
  Chart columns{.title = "Stages", .y_label = "ms", .style = ChartStyle::stacked};
  columns.categories = {std::string(60, 'a'), "b"};
  columns.lines = {{.label = "upload", .x = {0, 1}, .y = {1, 2}}};
  const std::string svg = chart_svg(columns);
  const std::array<double, 4> box = view_box(svg);
  EXPECT_LT(box[0], 0.0);  // The label begins left of the axis.
  // Sixty letters of 10 units reach 180 units further down where they are turned by 30 degrees.
  EXPECT_GT(place_of(svg, "upload"), 414.0 + 180.0);
  EXPECT_GT(box[1] + box[3], place_of(svg, "upload"));
}

}  // namespace
}  // namespace threadscape::app
