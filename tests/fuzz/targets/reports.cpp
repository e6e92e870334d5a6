// Reports of benchmarks: their rows, and the charts of the suites that a report names.

#include <nlohmann/json.hpp>

#include "app/bench/suite_charts.h"
#include "app/measure/chart_text.h"
#include "app/measure/report_file.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(reports) {
  for (const app::Report& report : app::parse_reports(input.text(), "fuzz.json")) {
    for (const app::Measurement& row : report.rows)
      (void)row.key();
    note_result(app::report_json(report).dump());
    if (!report.suite_definition) continue;
    const app::Suite suite = app::make_reported_suite(*report.suite_definition, report.suite, "fuzz.json: suite");
    (void)app::chart_tables(app::make_charts({suite, {report}}));
  }
}

}  // namespace threadscape::fuzz
