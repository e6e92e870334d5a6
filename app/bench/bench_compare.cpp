#include "app/bench/bench_compare.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>

#include "app/analysis/speedup.h"
#include "app/bench/bench_plan.h"
#include "app/report/text.h"
#include "compute/core/errors.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"

namespace threadscape::app {

namespace {

/// Rows of a report by their keys. A key that a report contains twice keeps its first row.
std::map<std::string, const Measurement*> by_key(const Report& file) {
  std::map<std::string, const Measurement*> rows;
  for (const Measurement* row : file.measured())
    rows.emplace(row->key(), row);
  return rows;
}

void note_unpaired(const Report& file, std::size_t paired, std::vector<std::string>& notes) {
  const std::size_t alone = by_key(file).size() - paired;
  if (alone > 0)
    notes.push_back(std::to_string(alone) + (alone == 1 ? " row is" : " rows are") + " only in " + file.name + ".");
}

}  // namespace

std::size_t ComparisonReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows, [verdict](const LabelledComparison& compared) { return compared.row.verdict == verdict; }));
}

void add_comparisons(ComparisonReport& report, const std::vector<const Measurement*>& rows,
                     const std::vector<RowSamples>& samples) {
  const std::vector<std::string> labels = row_labels(rows);
  const std::vector<RowComparison> compared = compare_rows(samples, report.rule);
  std::vector<std::string> differing;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    report.rows.push_back({labels[i], samples[i].before.size(), samples[i].after.size(), compared[i]});
    const double of_medians = compared[i].after / compared[i].before;
    if (ratios_differ(of_medians, compared[i].ratio.ratio))
      differing.push_back(labels[i] + " (of the medians " + format_number(of_medians) + ")");
  }
  if (differing.empty()) return;
  constexpr std::size_t most = 3;
  const std::size_t more = differing.size() - std::min(most, differing.size());
  differing.resize(differing.size() - more);
  report.notes.push_back(
      "Times with several values, as where other programs run beside it, have two ratios: " + joined(differing, ", ") +
      (more > 0 ? " and " + std::to_string(more) + " more" : "") + "; measure them again.");
}

ComparisonReport compare_reports(const Report& before, const Report& after, const VerdictRule& rule) {
  ComparisonReport report{.before = before.name, .after = after.name, .rule = rule, .rows = {}, .notes = {}};
  const auto old_rows = by_key(before);
  std::vector<const Measurement*> paired;
  std::vector<RowSamples> samples;
  const auto new_rows = by_key(after);
  for (const Measurement* row : after.measured()) {  // The table has the order of the file.
    const std::string key = row->key();
    const auto old = old_rows.find(key);
    if (old == old_rows.end() || new_rows.at(key) != row) continue;
    paired.push_back(row);
    samples.push_back({old->second->samples.compute, row->samples.compute});
  }
  if (paired.empty())
    throw UsageError(after.name + ": no row measures the same work as a row of " + before.name +
                     "; compare reports of the same command");
  add_comparisons(report, paired, samples);
  note_unpaired(before, paired.size(), report.notes);
  note_unpaired(after, paired.size(), report.notes);
  if (before.machine() != after.machine())
    report.notes.push_back("The machines differ: " + before.machine() + " and " + after.machine() + ".");
  return report;
}

std::string counts_sentence(const ComparisonReport& report) {
  std::vector<std::string> counts;
  for (const Verdict verdict : {Verdict::faster, Verdict::slower, Verdict::same, Verdict::unclear})
    counts.push_back(std::to_string(report.count(verdict)) + " " + std::string(name_of(verdict)));
  return joined(counts, ", ") + ".";
}

std::vector<std::string> comparison_cells(const LabelledComparison& compared) {
  const RowComparison& row = compared.row;
  const Interval& interval = row.ratio.interval;
  return {compared.label,
          std::string(name_of(row.verdict)),
          format_number(row.before),
          format_number(row.after),
          format_number(row.ratio.ratio),
          std::isfinite(interval.high) ? format_number(interval.low) + " .. " + format_number(interval.high)
                                       : "too few samples",
          row.adjusted_p < 1e-4 ? "< 0.0001" : format_number(row.adjusted_p, 2),
          std::to_string(compared.before_count) + " / " + std::to_string(compared.after_count)};
}

std::string comparison_table(const ComparisonReport& report) {
  std::vector<std::vector<std::string>> rows{{comparison_titles.begin(), comparison_titles.end()}};
  std::ranges::transform(report.rows, std::back_inserter(rows), comparison_cells);
  std::string text = "before: " + report.before + "\nafter:  " + report.after + "\n\n" + format_table(rows, 2) + "\n" +
                     counts_sentence(report) + "\n";
  text += "Mann-Whitney test, p adjusted by Holm for " + std::to_string(report.rows.size()) +
          (report.rows.size() == 1 ? " row" : " rows") +
          "; FASTER and SLOWER: p <= " + format_number(report.rule.significance, 1) + " and a change of at least " +
          format_number(report.rule.effect * 100.0, 2) +
          " %;\nSAME: the interval of the ratio is within that; UNCLEAR: more samples are needed.\n" + pairs_sentence +
          "\n";
  for (const std::string& note : report.notes)
    text += note + "\n";
  return text;
}

Json comparison_json(const ComparisonReport& report) {
  Json json{{"before", report.before},
            {"after", report.after},
            {"significance", report.rule.significance},
            {"effect", report.rule.effect},
            {"rows", Json::array()}};
  for (const LabelledComparison& compared : report.rows) {
    const RowComparison& row = compared.row;
    Json entry{{"label", compared.label},
               {"verdict", name_of(row.verdict)},
               {"before_ms", row.before},
               {"after_ms", row.after},
               {"ratio", row.ratio.ratio},
               {"p", row.p},
               {"adjusted_p", row.adjusted_p},
               {"before_samples", compared.before_count},
               {"after_samples", compared.after_count}};
    // JSON has no infinity: a row without an interval has too few samples for one.
    if (std::isfinite(row.ratio.interval.high)) entry["interval"] = {row.ratio.interval.low, row.ratio.interval.high};
    json["rows"].push_back(entry);
  }
  json["notes"] = report.notes;
  return json;
}

VerdictRule verdict_rule(const BenchOptions& options) {
  VerdictRule rule;
  rule.effect = options.effect.value_or(rule.effect);
  return rule;
}

int conclude(const ComparisonReport& report, const BenchOptions& options) {
  if (!options.quiet) print(text_stream(options), comparison_table(report));
  const auto named = [&](Verdict verdict) {
    std::string name(name_of(verdict));
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    return std::ranges::find(options.fail_on, name) != options.fail_on.end();
  };
  const bool failed =
      std::ranges::any_of(report.rows, [&](const LabelledComparison& compared) { return named(compared.row.verdict); });
  return static_cast<int>(failed ? ExitCode::check_failed : ExitCode::done);
}

int bench_compare(const BenchOptions& options) {
  ComparisonReport report = compare_reports(joined_report(load_reports(options.compare[0])),
                                            joined_report(load_reports(options.compare[1])), verdict_rule(options));
  report.notes.emplace_back(
      "Reports are measured one after the other, so that a drift of the machine counts as a change; --against measures "
      "in turns.");
  if (!options.json.empty()) io::save_bytes(options.json, dump(comparison_json(report)));
  return conclude(report, options);
}

}  // namespace threadscape::app
