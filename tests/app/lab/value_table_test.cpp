// The figures of a plot as the lab shows them below it.

#include "app/lab/value_table.h"

#include <gtest/gtest.h>

#include "app/report/text.h"

namespace threadscape::app {
namespace {

TEST(ValueTable, HasARowForEveryLine) {
  Chart chart{.title = "Time", .x_label = "threads", .y_label = "ms"};
  chart.lines = {{.label = "serial", .x = {1}, .y = {8}}, {.label = "openmp", .x = {1, 2}, .y = {7.5, 4}}};
  EXPECT_EQ(value_cells(chart), (ValueCells{{"threads, ms", "1", "2"},
                                            {"serial", format_number(8), "-"},
                                            {"openmp", format_number(7.5), format_number(4)}}));
  chart.style = ChartStyle::histogram;
  EXPECT_TRUE(value_cells(chart).empty()) << "bins are no figures";
}

TEST(ValueTable, HasARowForEveryStackedBar) {
  Chart chart{.title = "Stages", .y_label = "ms", .style = ChartStyle::stacked, .categories = {"a", "b"}};
  chart.lines = {{.label = "compute", .x = {0, 1}, .y = {1, 2}}, {.label = "upload", .x = {0, 1}, .y = {3, 4}}};
  chart.shares = true;  // The bars are shares of the numbers in the table.
  const ValueCells cells = value_cells(chart);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[0], (std::vector<std::string>{"case, ms", "compute", "upload"}));
  EXPECT_EQ(cells[1], (std::vector<std::string>{"a", format_number(1), format_number(3)}));
}

TEST(ValueTable, LeavesOutWhatNobodyReads) {
  Chart chart{.title = "Time", .y_label = "ms"};
  EXPECT_TRUE(value_cells(chart).empty());
  chart.lines = {{.label = "serial"}};
  for (int i = 0; i < 61; ++i) {
    chart.lines.front().x.push_back(i);
    chart.lines.front().y.push_back(i);
  }
  EXPECT_TRUE(value_cells(chart).empty());
}

}  // namespace
}  // namespace threadscape::app
