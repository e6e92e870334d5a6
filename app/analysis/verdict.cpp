#include "app/analysis/verdict.h"

#include <array>

namespace threadscape::app {

namespace {

Verdict verdict_of(const RowComparison& row, const VerdictRule& rule) {
  const double slower = 1.0 + rule.effect, faster = 1.0 / slower;
  if (row.ratio.interval.low >= faster && row.ratio.interval.high <= slower) return Verdict::same;
  if (row.adjusted_p > rule.significance) return Verdict::unclear;
  if (row.ratio.ratio >= slower) return Verdict::slower;
  return row.ratio.ratio <= faster ? Verdict::faster : Verdict::unclear;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"FASTER", "SLOWER", "SAME", "UNCLEAR"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<RowComparison> compare_rows(std::span<const RowSamples> rows, const VerdictRule& rule) {
  std::vector<RowComparison> compared;
  std::vector<double> p_values;
  for (const RowSamples& row : rows) {
    compared.push_back({.before = median_interval(row.before).median,
                        .after = median_interval(row.after).median,
                        .ratio = ratio_of_times(row.before, row.after, 0.95),
                        .p = mann_whitney_p(row.before, row.after)});
    p_values.push_back(compared.back().p);
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    compared[i].adjusted_p = adjusted[i];
    compared[i].verdict = verdict_of(compared[i], rule);
  }
  return compared;
}

}  // namespace threadscape::app
