// Reports of benchmarks: their rows, and the charts of the suite that a report names.

#include "app/bench/bench_chart.h"
#include "app/measure/json_node.h"
#include "app/measure/report_file.h"
#include "compute/core/errors.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(reports) {
  try {
    for (const app::ReportRow& row : app::parse_report(input.text(), "fuzz.json").rows)
      (void)row.key();
  } catch (const Error&) {
    // Rows that are refused do not keep the charts from being tried.
  }
  const app::Json json = app::parse_json_text(input.text(), "fuzz.json");
  const app::JsonNode report(json, "fuzz.json");
  const app::JsonNode suite = report.at("suite");
  const app::Suite parsed =
      app::make_suite(suite.at("definition").value(), suite.at("name").text(), "fuzz.json: suite");
  (void)app::chart_tables(app::make_charts(parsed, {json}));
}

}  // namespace threadscape::fuzz
