#include "app/measure/row_charts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// The rows of an algorithm that are kept, in the reports that they come from.
template <class Keep>
LabReports rows_of(const LabReports& reports, const Keep& keep) {
  LabReports kept;
  for (const Report& report : reports) {
    Report& part = kept.emplace_back(Report{.name = report.name, .environment = report.environment});
    part.limits = report.limits;
    std::ranges::copy_if(report.rows, std::back_inserter(part.rows), keep);
  }
  return kept;
}

/// What differs between rows of one algorithm.
struct Variety {
  std::set<double> sizes;
  std::set<int> threads;
  std::string parameter;        ///< A parameter that varies at the largest size; "" if there is none.
  double parameter_size = 0.0;  ///< That size.
};

Variety variety_of(const LabReports& reports) {
  Variety variety;
  std::map<double, std::map<std::string, std::set<std::string>>> values;
  std::vector<std::string> names;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows) {
      variety.sizes.insert(row.what.items());
      if (row.where.backend == Backend::openmp) variety.threads.insert(row.where.threads);
      for (const Parameter& parameter : row.what.params) {
        if (parameter.short_text().empty()) continue;
        values[row.what.items()][parameter.name].insert(parameter.json);
        if (std::ranges::find(names, parameter.name) == names.end()) names.push_back(parameter.name);
      }
    }
  for (auto size = values.rbegin(); size != values.rend() && variety.parameter.empty(); ++size)
    for (const std::string& name : names)
      if (const auto own = size->second.find(name); own != size->second.end() && own->second.size() > 1) {
        variety.parameter = name;
        variety.parameter_size = size->first;
        break;
      }
  return variety;
}

void add_charts_of(const std::string& algorithm, const LabReports& rows, std::vector<Chart>& charts) {
  const auto add = [&](Chart chart) {
    chart.title = algorithm + ": " + chart.title;
    for (ChartLine& line : chart.lines)
      line.rows.clear();
    charts.push_back(std::move(chart));
  };
  const Variety variety = variety_of(rows);
  const std::size_t before = charts.size();
  if (variety.sizes.size() > 1) add(times_by_size(rows));
  if (variety.threads.size() > 1)
    if (Chart chart = speed_ups(rows, false); !chart.lines.empty()) add(std::move(chart));
  if (!variety.parameter.empty())
    add(times_by_parameter(
        rows_of(rows, [&](const Measurement& row) { return row.what.items() == variety.parameter_size; }),
        variety.parameter));
  if (charts.size() == before) add(stages(rows, {.transfers = true, .shares = false}));
}

}  // namespace

std::vector<Chart> charts_of_rows(const LabReports& reports) {
  std::vector<Chart> charts;
  std::vector<std::string> algorithms;
  for (const Report& report : reports)
    for (const Measurement* row : report.measured())
      if (std::ranges::find(algorithms, row->what.algorithm) == algorithms.end())
        algorithms.push_back(row->what.algorithm);
  for (const std::string& algorithm : algorithms)
    add_charts_of(
        algorithm,
        rows_of(reports,
                [&](const Measurement& row) { return row.skipped.empty() && row.what.algorithm == algorithm; }),
        charts);
  return charts;
}

ChartPage chart_page_of_rows(const LabReports& reports) {
  ChartPage page;
  std::vector<std::string> names;
  for (const Report& report : reports) {
    names.push_back(report.name);
    if (std::ranges::find(page.machines, report.machine()) == page.machines.end())
      page.machines.push_back(report.machine());
  }
  page.title = joined(names, ", ");
  page.charts = charts_of_rows(reports);
  return page;
}

}  // namespace threadscape::app
