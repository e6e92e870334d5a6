#pragma once
// Comparisons of measurements: two reports, or two sides that were measured in turns.

#include <array>
#include <string>
#include <vector>

#include "app/analysis/verdict.h"
#include "app/bench/bench.h"
#include "app/measure/report_file.h"

namespace threadscape::app {

struct LabelledComparison {
  std::string label;
  std::size_t before_count = 0, after_count = 0;  ///< Numbers of samples.
  RowComparison row;
};

struct ComparisonReport {
  std::string before, after;  ///< Names of the two sides.
  VerdictRule rule;
  std::vector<LabelledComparison> rows;
  std::vector<std::string> notes;  ///< Sentences on rows that only one side has, and on different machines.
  [[nodiscard]] std::size_t count(Verdict verdict) const;
};

/// Pairs the rows of two reports that measured the same work, and compares them. Throws UsageError if no row of one is
/// in the other.
[[nodiscard]] ComparisonReport compare_reports(const Report& before, const Report& after, const VerdictRule& rule);

/// "1 FASTER, 1 SLOWER, 3 SAME, 0 UNCLEAR."
[[nodiscard]] std::string counts_sentence(const ComparisonReport& report);
inline constexpr std::array<const char*, 8> comparison_titles{"row",          "verdict",       "before ms", "after ms",
                                                              "after/before", "95 % interval", "p",         "samples"};
/// Says what "after/before" is, and that it may differ from the medians beside it.
inline constexpr const char* pairs_sentence =
    "after/before is the median of the ratios of all pairs of runs (Hodges-Lehmann), not the ratio of the medians.";
/// What stands below the titles for a row.
[[nodiscard]] std::vector<std::string> comparison_cells(const LabelledComparison& compared);
/// Adds the comparisons of measured rows, of which `samples` holds both sides, and a note on those whose ratio differs
/// from that of their medians.
void add_comparisons(ComparisonReport& report, const std::vector<const Measurement*>& rows,
                     const std::vector<RowSamples>& samples);
/// The comparison as a table with a row for each pair, and the rule in a sentence.
[[nodiscard]] std::string comparison_table(const ComparisonReport& report);
[[nodiscard]] Json comparison_json(const ComparisonReport& report);

/// The rule that the options state.
[[nodiscard]] VerdictRule verdict_rule(const BenchOptions& options);
/// Prints the comparison unless the options say otherwise. Returns ExitCode::check_failed if `--fail-on` names a
/// verdict that a row has.
[[nodiscard]] int conclude(const ComparisonReport& report, const BenchOptions& options);

/// Runs `threadscape bench --compare OLD.json NEW.json`. Returns the exit code.
int bench_compare(const BenchOptions& options);

}  // namespace threadscape::app
