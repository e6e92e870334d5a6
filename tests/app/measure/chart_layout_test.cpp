// Where the texts of plots stand. All values are exact: shares of the plot's area, and pixels that are whole numbers.

#include "app/measure/chart_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace threadscape::app {
namespace {

PlotData plot_of(std::vector<double> x, std::vector<double> y, bool logarithmic) {
  PlotData plot;
  plot.log_x = plot.log_y = logarithmic;
  plot.lines.push_back({.label = "openmp", .x = std::move(x), .y = std::move(y)});
  return plot;
}

TEST(PlotLayout, ALegendStandsInACornerWithoutLines) {
  // A line that rises leaves the upper left corner free, and one that falls the upper right one.
  for (const bool logarithmic : {false, true}) {
    EXPECT_EQ(free_corner(plot_of({1, 10, 100}, {1, 10, 100}, logarithmic), 0.3, 0.3), Corner::north_west);
    EXPECT_EQ(free_corner(plot_of({1, 10, 100}, {100, 10, 1}, logarithmic), 0.3, 0.3), Corner::north_east);
  }
  // A level line at the top leaves the lower corners.
  EXPECT_EQ(free_corner(plot_of({1, 10, 100}, {5, 5, 5}, false), 0.3, 0.3), Corner::south_west);
}

TEST(PlotLayout, ALineBetweenTwoPointsCountsAndPointsThatAreNotJoinedDoNot) {
  PlotData plot = plot_of({0, 100}, {100, 100}, false);
  EXPECT_EQ(free_corner(plot, 0.6, 0.3), Corner::south_west);
  plot = plot_of({0, 50, 100}, {50, 100, 50}, false);
  EXPECT_EQ(free_corner(plot, 0.49, 0.3), Corner::south_west) << "the sides of the triangle are in the upper corners";
  plot.joined = false;
  EXPECT_EQ(free_corner(plot, 0.3, 0.3), Corner::north_west);
}

TEST(PlotLayout, GuidesAndMarksAreNotCoveredAndNoCornerMayBeFree) {
  PlotData plot = plot_of({0, 100}, {0, 100}, false);
  plot.guides.push_back({.label = "ideal", .x = {0, 100}, .y = {100, 0}});
  EXPECT_EQ(free_corner(plot, 0.3, 0.3), std::nullopt);
  plot.guides.clear();
  plot.marks.push_back({.x = 5, .y = 95, .label = "here"});
  EXPECT_EQ(free_corner(plot, 0.3, 0.3), Corner::south_east);
  EXPECT_EQ(free_corner(plot, 1.1, 0.3), std::nullopt) << "wider than the plot";
}

TEST(PlotLayout, TextsDoNotCoverEachOther) {
  std::array<TextBox, 4> boxes{TextBox{10, 50, 40, 10}, TextBox{30, 52, 40, 10}, TextBox{20, 49, 40, 10},
                               TextBox{90, 50, 40, 10}};
  separate(boxes, 0, 100);
  EXPECT_FLOAT_EQ(boxes[0].y, 50);
  EXPECT_FLOAT_EQ(boxes[1].y, 62) << "a line right above the first text would cover it";
  EXPECT_FLOAT_EQ(boxes[2].y, 39);
  EXPECT_FLOAT_EQ(boxes[3].y, 50) << "beside the others";
}

TEST(PlotLayout, TextsStayInsideOfThePlotWhereTheyFit) {
  std::vector<TextBox> boxes(12, TextBox{0, 0, 10, 10});
  separate(boxes, 0, 100);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_FLOAT_EQ(boxes[i].y, 10 * static_cast<float>(i));
  EXPECT_FLOAT_EQ(boxes[10].y, 0) << "ten texts fill the plot";
}

}  // namespace
}  // namespace threadscape::app
