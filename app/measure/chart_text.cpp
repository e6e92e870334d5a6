#include "app/measure/chart_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/measure/chart_layout.h"
#include "app/report/text.h"

namespace threadscape::app {

std::string axis_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, std::abs(value) < 1000.0 ? "%.4g" : "%.0f", value);
  return text;
}

std::vector<std::vector<std::string>> chart_cells(const Chart& chart) {
  std::vector<std::vector<std::string>> rows{{chart.x_label.empty() ? "case" : chart.x_label}};
  std::set<double> places;
  for (const ChartLine& line : chart.lines) {
    rows.front().push_back(line.label);
    places.insert(line.x.begin(), line.x.end());
  }
  for (const double x : places) {
    rows.push_back({chart.categories.empty() ? axis_text(x) : chart.categories[static_cast<std::size_t>(x)]});
    for (const ChartLine& line : chart.lines) {
      const auto found = std::ranges::find(line.x, x);
      rows.back().push_back(
          found == line.x.end() ? "-" : format_number(line.y[static_cast<std::size_t>(found - line.x.begin())]));
    }
  }
  return rows;
}

std::string chart_tables(const ChartPage& page) {
  std::string text = "\n" + page.title + "\n" + page.source + "\n";
  if (!page.note.empty()) text += page.note + "\n";
  for (const Chart& chart : page.charts) {
    text += "\n" + chart.title + " (" + chart.y_label + ")\n" + format_table(chart_cells(chart), 1);
    for (const std::string& sentence : sentences_of(chart))
      text += sentence + "\n";
  }
  return text;
}

std::string chart_csv(const Chart& chart) {
  std::string text = "plot,line,category,x,y,low,high,samples\n";
  const auto add = [&](const ChartLine& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const auto category = static_cast<std::size_t>(std::max(line.x[i], 0.0));
      text += csv_field(chart.title) + "," + csv_field(line.label) + "," +
              (category < chart.categories.size() ? csv_field(chart.categories[category]) : "") + "," +
              format_exact(line.x[i]) + "," + format_exact(line.y[i]) + "," +
              (i < line.low.size() ? format_exact(line.low[i]) : "") + "," +
              (i < line.high.size() ? format_exact(line.high[i]) : "") + "," +
              (i < line.count.size() ? std::to_string(line.count[i]) : "") + "\n";
    }
  };
  std::ranges::for_each(chart.lines, add);
  std::ranges::for_each(chart.guides, add);
  return text;
}

}  // namespace threadscape::app
