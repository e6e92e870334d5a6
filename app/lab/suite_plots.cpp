#include "app/lab/suite_plots.h"

#include <algorithm>
#include <iterator>

namespace threadscape::app {

void SuitePlots::open(const std::vector<Report>& file) {
  const std::size_t before = opened_.size();
  std::ranges::copy_if(file, std::back_inserter(opened_),
                       [](const Report& report) { return report.suite_definition != nullptr; });
  try {
    make();
  } catch (const std::exception&) {
    opened_.resize(before);
    make();
    throw;
  }
}

void SuitePlots::close() {
  opened_.clear();
  make();
}

void SuitePlots::measured(const Report& report) {
  session_ = report;
  make();
}

void SuitePlots::make() {
  std::vector<Report> reports = opened_;
  if (session_.suite_definition) reports.insert(reports.begin(), session_);
  const std::vector<SuiteReports> all = by_suite(std::move(reports), true);
  titles_.clear();
  plots_.clear();
  for (const SuiteReports& drawn : all) {
    ChartPage page = make_charts(drawn);
    for (Chart& chart : page.charts) {
      titles_.push_back((all.size() > 1 ? drawn.suite.name + ": " : "") + chart.title);
      plots_.push_back(std::move(chart));
    }
  }
}

Chart SuitePlots::plot(std::size_t place) const {
  if (plots_.empty())
    return {
        .title = "Suite",
        .notes = {"Let a suite vary and press Run, or open a report of `threadscape bench --suite NAME --json FILE`."}};
  return plots_[place < plots_.size() ? place : 0];
}

}  // namespace threadscape::app
