#pragma once
// The plots that suites state, in the lab: from reports of `bench --suite NAME --json FILE`, of any machine, and from
// what this session has measured of a suite.

#include <string>
#include <vector>

#include "app/bench/suite_charts.h"

namespace threadscape::app {

class SuitePlots {
 public:
  /// Adds the reports of suites that a file has; others are left out. Throws UsageError for definitions of suites that
  /// this version cannot read.
  void open(const std::vector<Report>& file);
  /// Forgets what was opened.
  void close();
  /// Replaces what this session has measured. A report without a suite removes it.
  void measured(const Report& report);

  /// The titles of all plots, with the name of the suite where there are several.
  [[nodiscard]] const std::vector<std::string>& titles() const { return titles_; }
  /// A plot by the place of its title; the first one if there is no such place. Empty, with a note, if there is none.
  [[nodiscard]] Chart plot(std::size_t place) const;

 private:
  void make();

  std::vector<Report> opened_;
  Report session_;
  std::vector<std::string> titles_;
  std::vector<Chart> plots_;
};

}  // namespace threadscape::app
