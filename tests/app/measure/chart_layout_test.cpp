// Where the texts of plots stand. All values are exact: shares of the plot's area, and pixels that are whole numbers.

#include "app/measure/chart_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace threadscape::app {
namespace {

Chart plot_of(std::vector<double> x, std::vector<double> y, bool logarithmic) {
  Chart plot;
  plot.log_x = plot.log_y = logarithmic;
  plot.lines.push_back({.label = "openmp", .x = std::move(x), .y = std::move(y)});
  return plot;
}

TEST(ChartLayout, ALegendStandsInACornerWithoutLines) {
  // A line that rises leaves the upper left corner free, and one that falls the upper right one.
  for (const bool logarithmic : {false, true}) {
    EXPECT_EQ(free_corner(plot_of({1, 10, 100}, {1, 10, 100}, logarithmic), 0.3, 0.3), Corner::north_west);
    EXPECT_EQ(free_corner(plot_of({1, 10, 100}, {100, 10, 1}, logarithmic), 0.3, 0.3), Corner::north_east);
  }
  // A level line at the top leaves the lower corners.
  EXPECT_EQ(free_corner(plot_of({1, 10, 100}, {5, 5, 5}, false), 0.3, 0.3), Corner::south_west);
}

TEST(ChartLayout, ALineBetweenTwoPointsCountsAndPointsThatAreNotJoinedDoNot) {
  Chart plot = plot_of({0, 100}, {100, 100}, false);
  EXPECT_EQ(free_corner(plot, 0.6, 0.3), Corner::south_west);
  plot = plot_of({0, 50, 100}, {50, 100, 50}, false);
  EXPECT_EQ(free_corner(plot, 0.49, 0.3), Corner::south_west) << "the sides of the triangle are in the upper corners";
  plot.joined = false;
  EXPECT_EQ(free_corner(plot, 0.3, 0.3), Corner::north_west);
}

TEST(ChartLayout, GuidesAndMarksAreNotCoveredAndNoCornerMayBeFree) {
  Chart plot = plot_of({0, 100}, {0, 100}, false);
  plot.guides.push_back({.label = "ideal", .x = {0, 100}, .y = {100, 0}});
  EXPECT_EQ(free_corner(plot, 0.3, 0.3), std::nullopt);
  plot.guides.clear();
  plot.marks.push_back({.x = 5, .y = 95, .label = "here"});
  EXPECT_EQ(free_corner(plot, 0.3, 0.3), Corner::south_east);
  EXPECT_EQ(free_corner(plot, 1.1, 0.3), std::nullopt) << "wider than the plot";
}

TEST(ChartLayout, TextsDoNotCoverEachOther) {
  std::array<TextBox, 4> boxes{TextBox{10, 50, 40, 10}, TextBox{30, 52, 40, 10}, TextBox{20, 49, 40, 10},
                               TextBox{90, 50, 40, 10}};
  separate(boxes, 0, 100);
  EXPECT_FLOAT_EQ(boxes[0].y, 50);
  EXPECT_FLOAT_EQ(boxes[1].y, 62) << "a line right above the first text would cover it";
  EXPECT_FLOAT_EQ(boxes[2].y, 39);
  EXPECT_FLOAT_EQ(boxes[3].y, 50) << "beside the others";
}

TEST(ChartLayout, TextsStayInsideOfThePlotWhereTheyFit) {
  std::vector<TextBox> boxes(12, TextBox{0, 0, 10, 10});
  separate(boxes, 0, 100);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_FLOAT_EQ(boxes[i].y, 10 * static_cast<float>(i));
  EXPECT_FLOAT_EQ(boxes[10].y, 0) << "ten texts fill the plot";
}

TEST(ChartLayout, NamesStayInOrderAndMoveByTheSameDistance) {
  EXPECT_EQ(spread({10, 50}, 10, 0, 100), (std::vector<float>{10, 50})) << "nothing touches";
  EXPECT_EQ(spread({20, 20}, 10, 0, 100), (std::vector<float>{15, 25}));
  EXPECT_EQ(spread({0, 0, 0}, 10, 0, 100), (std::vector<float>{0, 10, 20})) << "none is above the plot";
  EXPECT_EQ(spread({40, 95, 95}, 10, 0, 100), (std::vector<float>{40, 80, 90})) << "none is below it";
}

TEST(ChartLayout, TheEndOfALineIsAShareOfTheArea) {
  Chart plot = plot_of({0, 100}, {100, 50}, false);
  const auto [x, y] = end_of(plot, plot.lines.front());
  EXPECT_GT(x, 0.9);
  EXPECT_LE(x, 1.0);
  EXPECT_NEAR(y, 0.5 * 100 / y_range(plot).second, 1e-9) << "the axis begins at 0";
}

TEST(ChartLayout, AnAxisHoldsTheIntervalsOfItsValues) {
  Chart plot = plot_of({1, 2}, {1, 10}, false);
  for (const bool logarithmic : {false, true}) {
    plot.log_y = logarithmic;
    plot.lines.front().low = {0.5, 2};
    plot.lines.front().high = {2, 40};
    EXPECT_GT(y_range(plot).second, 40.0);
    EXPECT_LT(y_range(plot).first, 0.5);
    plot.lines.front().low = plot.lines.front().high = {0, 0};  // They are not known.
    EXPECT_LT(y_range(plot).second, 20.0);
  }
}

TEST(ChartLayout, TicksAreWherePointsAreAsFarAsTheirLabelsFit) {
  const auto labels = [](const std::vector<Tick>& ticks) {
    std::vector<std::string> texts;
    for (const Tick& tick : ticks)
      texts.push_back(tick.label);
    return texts;
  };
  const Chart threads = plot_of({1, 2, 3, 4, 16}, {5, 4, 3, 2, 1}, false);
  EXPECT_EQ(labels(x_ticks(threads, 100)), (std::vector<std::string>{"1", "2", "3", "4", "16"}));
  EXPECT_EQ(labels(x_ticks(threads, 20)), (std::vector<std::string>{"1", "", "", "4", "16"}));
  EXPECT_EQ(labels(x_ticks(plot_of({1e6, 5e6, 1e7}, {1, 2, 3}, false), 18)),
            (std::vector<std::string>{"1000000", "", "10000000"}));
  std::vector<double> many;
  for (int i = 1; i <= 40; ++i)
    many.push_back(i);
  EXPECT_LE(x_ticks(plot_of(many, many, false), 100).size(), 10U) << "too many places have even steps";
  EXPECT_EQ(y_ticks(plot_of({1, 2}, {1, 100}, true)).front().label, "1");
}

TEST(ChartLayout, BarsOfAGroupStandSideBySide) {
  Chart chart{.title = "t", .style = ChartStyle::bars, .categories = {"a", "b"}};
  chart.lines = {{.label = "1", .x = {0, 1}, .y = {1, 2}}, {.label = "2"}, {.label = "3", .x = {0, 1}, .y = {1, 2}}};
  const BarPlace first = bar_place(chart, 0), last = bar_place(chart, 2);
  EXPECT_DOUBLE_EQ(first.offset, -last.offset) << "a line without points takes no room";
  EXPECT_LE(first.offset + first.width / 2, last.offset - last.width / 2);
  EXPECT_GT(y_range(chart).second, 2.0);
  chart.log_y = true;
  EXPECT_LE(y_range(chart).first, 1.0);
}

}  // namespace
}  // namespace threadscape::app
