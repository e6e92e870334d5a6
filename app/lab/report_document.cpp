#include "app/lab/report_document.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/analysis/speedup.h"
#include "app/analysis/why.h"
#include "app/bench/bench_compare.h"
#include "app/bench/bench_plan.h"
#include "app/bench/suite_charts.h"
#include "app/measure/chart_layout.h"
#include "app/measure/chart_text.h"
#include "app/measure/report_table.h"
#include "app/measure/row_charts.h"
#include "app/measure/speedup_parts.h"
#include "app/report/text.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// The member of a JSON object as text; "" if it is not there.
std::string member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}
std::string bytes_of(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_unsigned() ? format_bytes(found->get<std::size_t>()) : "";
}

/// The facts of a machine that were noted with the measurements.
std::vector<std::vector<std::string>> machine_table(const Environment& environment) {
  std::vector<std::vector<std::string>> table{{"part", "what"}};
  const auto add = [&table](const char* name, const std::string& value) {
    if (!value.empty()) table.push_back({name, value});
  };
  if (!environment.facts) return {{"part", "what"}, {"CPU", environment.cpu}};
  const Json& facts = *environment.facts;
  const Json none = Json::object();
  const Json& cpu = facts.contains("cpu") ? facts.at("cpu") : none;
  const Json& gpu = facts.contains("gpu") ? facts.at("gpu") : none;
  add("CPU", member(cpu, "model"));
  add("cores", member(cpu, "physical_cores") + " cores, " + member(cpu, "logical_cores") + " threads, SIMD " +
                   member(cpu, "simd"));
  add("caches",
      "L1 " + bytes_of(cpu, "l1d_bytes") + ", L2 " + bytes_of(cpu, "l2_bytes") + ", L3 " + bytes_of(cpu, "l3_bytes"));
  add("memory", bytes_of(cpu, "memory_bytes"));
  add("GPU", gpu.contains("name") ? member(gpu, "name") : member(gpu, "reason"));
  add("driver of the GPU", member(gpu, "driver_version"));
  const std::string commit = member(facts, "git_hash");
  add("program", "Threadscape " + member(facts, "threadscape") + (commit.empty() ? "" : ", commit " + commit) +
                     (member(facts, "git_dirty") == "true" ? " with changes" : ""));
  add("compiler", member(facts, "compiler") + " " + member(facts, "flags"));
  return table;
}

/// "2026-11-29T18:41:37Z"; "" if the report does not say.
std::string date_of(const Environment& environment) {
  return environment.facts ? member(*environment.facts, "date") : "";
}

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,=:/+-") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The value of a parameter as --set takes it; "" for lists, which follow from others, such as a mask from its preset.
std::string set_value(const Parameter& parameter) {
  const Json value = Json::parse(parameter.json, nullptr, false);
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() || value.is_boolean() ? parameter.json : "";
}

using Sets = std::vector<std::pair<std::string, std::string>>;

/// The parameters of a row that are not the defaults.
Sets sets_of(const AlgorithmInfo& algorithm, const Measurement& row) {
  const std::vector<Parameter> defaults = parameters_of(algorithm.defaults());
  Sets sets;
  for (const Parameter& parameter : row.what.params)
    if (std::ranges::find(defaults, parameter) == defaults.end() && !length_follows(algorithm, parameter.name))
      if (std::string value = set_value(parameter); !value.empty()) sets.emplace_back(parameter.name, std::move(value));
  return sets;
}

/// Values in the order in which they were first seen.
class Seen {
 public:
  void add(const std::string& value) {
    if (!value.empty() && std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
  }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::string text(const char* separator) const { return joined(values_, separator); }
  [[nodiscard]] std::string option(const char* name) const {
    return values_.empty() ? "" : std::string(" ") + name + " " + quoted(text(","));
  }

 private:
  std::vector<std::string> values_;
};

/// The command for rows of one algorithm with the same parameters.
std::string command_for(const AlgorithmInfo& algorithm, const Sets& sets, const std::vector<const Measurement*>& rows) {
  Seen files, sizes, backends, variants, threads, channels;
  bool peers = false;
  for (const Measurement* row : rows) {
    peers = peers || !row->where.peer.empty();
    if (!row->where.peer.empty()) continue;
    files.add(row->what.file);
    if (has_sizes(algorithm)) sizes.add(extent_text(row->what.input));
    if (row->what.file.empty() && row->what.input.channels > 1) channels.add(std::to_string(row->what.input.channels));
    backends.add(std::string(name_of(row->where.backend)));
    const auto known = algorithm.variants_of(row->where.backend);
    const std::string variant = row->where.variant.substr(0, row->where.variant.find('/'));
    variants.add(!known.empty() && known.front().name == variant ? "default" : variant);
    if (row->where.backend == Backend::openmp) threads.add(std::to_string(row->where.threads));
  }
  std::string text = "threadscape bench " + std::string(algorithm.name) + files.option("--input") +
                     (files.empty() || sizes.size() > 1 ? sizes.option("--sizes") : "") +
                     channels.option("--channels") + backends.option("--backends");
  if (const std::string option = variants.option("--variants"); option != " --variants default") text += option;
  text += threads.option("--threads");
  for (const auto& [name, value] : sets)
    text += " --set " + quoted(name + "=" + value);
  return text + (peers ? " --peers" : "");
}

/// A row that stands for those of its algorithm and backend: the last one, which usually is the largest.
std::vector<std::string> findings(const LabReports& reports) {
  int physical_cores = 0;  // Those of the first report, as in the lab.
  if (!reports.empty())
    if (const auto& facts = reports.front().environment.facts; facts && facts->contains("cpu"))
      physical_cores = facts->at("cpu").value("physical_cores", 0);
  std::map<std::string, const Measurement*> last;
  std::vector<std::string> order;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows) {
      if (!row.where.peer.empty()) continue;
      const std::string key = report.name + " " + row.what.algorithm + " " + std::string(name_of(row.where.backend));
      if (last.emplace(key, &row).second) order.push_back(key);
      last[key] = &row;
    }
  std::vector<std::string> found;
  for (const std::string& key : order) {
    const Measurement& row = *last.at(key);
    const auto holder = std::ranges::find_if(reports, [&row](const Report& report) {
      return std::ranges::any_of(report.rows, [&row](const Measurement& own) { return &own == &row; });
    });
    found.push_back(row_labels({&row}).front() + (reports.size() > 1 ? ", " + holder->name : "") + ": " +
                    joined(why(why_facts(reports, row, physical_cores)), " "));
  }
  return found;
}

/// Which backend is the fastest, by algorithm and size; without a row if only one backend was measured.
std::vector<std::vector<std::string>> winner_table(const LabReports& reports) {
  std::set<Backend> measured;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows)
      measured.insert(row.where.backend);
  if (measured.size() < 2) return {};
  const WinMatrix matrix = winners(reports);
  std::vector<std::vector<std::string>> table{{"fastest by values"}};
  for (const double items : matrix.columns)
    table.front().push_back(axis_text(items));
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    std::vector<std::string>& row = table.emplace_back(std::vector<std::string>{matrix.rows[i]});
    for (std::size_t k = 0; k < matrix.columns.size(); ++k) {
      const WinCell& cell = matrix.at(i, k);
      row.push_back(!cell.measured          ? ""
                    : cell.times.size() < 2 ? std::string(name_of(cell.winner))
                                            : std::string(name_of(cell.winner)) + ", " + factor_text(cell.factor) +
                                                  (ratios_differ(cell.factor, cell.pairs)
                                                       ? " (of all pairs of runs " + factor_text(cell.pairs) + ")"
                                                       : "") +
                                                  (cell.tie ? ", not told apart" : ""));
    }
  }
  return table;
}

/// What the factors of openmp over serial are made of, and which rows would have to be measured for those of others.
void add_speedups(const Report& report, std::vector<DocumentBlock>& blocks) {
  const std::vector<SpeedupParts> all = speedup_parts(report);
  if (!all.empty()) {
    std::vector<const Measurement*> wholes;
    std::ranges::transform(all, std::back_inserter(wholes), &SpeedupParts::whole);
    const std::vector<std::string> labels = row_labels(wholes);
    DocumentTable table{.rows = {{"row", "over serial", "loops, 1 thread", "method and vectors, 1 thread",
                                  "its threads", "threads of loops"}},
                        .caption =
                            "What the factors of openmp over the backend serial on one thread are made of: a "
                            "factor over serial is the product of the next three. Ratios of medians."};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const SpeedupParts& parts = all[i];
      table.rows.push_back({labels[i], factor_text(parts.over_baseline),
                            parts.has_loops ? factor_text(parts.code) : "in the next", factor_text(parts.vectors),
                            factor_text(parts.threads),
                            parts.loop_threads > 0.0 ? factor_text(parts.loop_threads) : "not measured"});
    }
    blocks.emplace_back(std::move(table));
  }
  if (const std::vector<DeviceParts> devices = device_parts(report); !devices.empty()) {
    std::vector<const Measurement*> wholes;
    std::ranges::transform(devices, std::back_inserter(wholes), &DeviceParts::whole);
    const std::vector<std::string> labels = row_labels(wholes);
    DocumentTable table{.rows = {{"row", "over serial", "openmp", "kernels alone", "with allocation and transfers"}},
                        .caption =
                            "What the factors of cuda over the backend serial on one thread are made of: a "
                            "factor over serial is the product of the next two, that of the fastest openmp on "
                            "the most threads and that of the kernels over it. Ratios of medians."};
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const DeviceParts& parts = devices[i];
      table.rows.push_back({labels[i], factor_text(parts.of_kernels()),
                            factor_text(parts.cpu) + ", " + parts.cpu_row->where.variant + ", " +
                                std::to_string(parts.cpu_row->where.threads) + " threads",
                            factor_text(parts.kernels),
                            parts.has_transfers ? factor_text(parts.of_whole()) : "not measured"});
    }
    blocks.emplace_back(std::move(table));
  }
  Seen missing;
  for (const Measurement* row : unsplit_rows(report))
    missing.add(row->what.algorithm);
  if (!missing.empty())
    blocks.emplace_back(DocumentText{
        "Factors of openmp over serial are not split into method, vectors and threads where openmp did not run on one "
        "thread (" +
        missing.text(", ") + "): `threadscape bench " + missing.text(" ") + " --split` measures the parts."});
}

void add_comparison(const std::vector<Report>& reports, std::vector<DocumentBlock>& blocks) {
  if (reports.size() != 2) return;
  try {
    const ComparisonReport compared = compare_reports(reports[0], reports[1], {});
    DocumentTable table{.rows = {{comparison_titles.begin(), comparison_titles.end()}},
                        .caption = "Before: " + compared.before + ". After: " + compared.after + "."};
    std::ranges::transform(compared.rows, std::back_inserter(table.rows), comparison_cells);
    blocks.emplace_back(DocumentHeading{"Comparison"});
    blocks.emplace_back(std::move(table));
    blocks.emplace_back(DocumentText{counts_sentence(compared) + " " + pairs_sentence});
    if (!compared.notes.empty()) blocks.emplace_back(DocumentList{compared.notes});
  } catch (const UsageError&) {
    // The reports measured different work.
  }
}

/// "sobel, median", or the first three and how many more.
std::string algorithms_of(const std::vector<Report>& reports) {
  std::vector<std::string> names;
  for (const Report& report : reports)
    for (const Measurement* row : report.measured())
      if (std::ranges::find(names, row->what.algorithm) == names.end()) names.push_back(row->what.algorithm);
  constexpr std::size_t most = 3;
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return joined(names, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

/// What a chart shows, in words: "sobel: Time. ms by pixels, voxels or values of serial, openmp."
std::string caption_of(const Chart& chart) {
  std::vector<std::string> lines;
  for (const ChartLine& line : chart.lines)
    if (!line.x.empty()) lines.push_back(line.label);
  return chart.title + ". " + value_label(chart) + (chart.x_label.empty() ? "" : " by " + chart.x_label) + ": " +
         joined(lines, ", ") + ".";
}

std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// "Measured on AMD EPYC, 2026-11-29, by Threadscape."
std::string summary_of(const ReportParts& parts) {
  Seen machines;
  for (const Report& report : parts.reports)
    machines.add(report.machine());
  const std::string date = parts.reports.empty() ? "" : date_of(parts.reports.front().environment).substr(0, 10);
  return machines.empty()
             ? "Made by Threadscape."
             : "Measured on " + machines.text(", ") + (date.empty() ? "" : ", " + date) + ", by Threadscape.";
}

/// The one parameter whose value differs between groups of rows, with all of its values; nothing if several differ.
std::optional<std::pair<std::string, std::string>> swept(
    const AlgorithmInfo& algorithm, const std::vector<std::pair<Sets, std::vector<const Measurement*>>>& groups) {
  std::optional<std::pair<std::string, std::string>> found;
  for (const Parameter& parameter : groups.front().second.front()->what.params) {
    Seen values;
    bool listed = false;
    for (const auto& group : groups)
      if (const Parameter* own = group.second.front()->what.find(parameter.name)) {
        values.add(set_value(*own));
        listed = listed || set_value(*own).empty();
      }
    if (values.size() < 2 || listed || length_follows(algorithm, parameter.name)) continue;
    if (found) return std::nullopt;
    found.emplace(parameter.name, values.text(","));
  }
  return found;
}

}  // namespace

std::string run_command(const AlgorithmInfo& algorithm, const ParamBox& params, Backend backend, int variant,
                        const std::filesystem::path& input) {
  std::string text = "threadscape run " + std::string(algorithm.name) +
                     (input.empty() ? "" : " " + quoted(input.string())) + " -o RESULT --backend " +
                     std::string(name_of(backend));
  const auto variants = algorithm.variants_of(backend);
  if (variant > 0 && static_cast<std::size_t>(variant) < variants.size())
    text += " --variant " + std::string(variants[static_cast<std::size_t>(variant)].name);
  const ParamBox defaults = algorithm.defaults();
  const auto usual = defaults.fields();
  for (const FieldRef& field : params.fields()) {
    const auto own = std::ranges::find(usual, field.name, &FieldRef::name);
    if (own == usual.end() || to_text(*own) != to_text(field))
      text += " --set " + quoted(std::string(field.name) + "=" + to_text(field));
  }
  return text;
}

std::vector<std::string> bench_commands(const Report& report) {
  if (!report.suite.empty()) return {"threadscape bench --suite " + quoted(report.suite)};
  std::vector<std::string> names, commands;
  for (const Measurement* row : report.measured())
    if (std::ranges::find(names, row->what.algorithm) == names.end()) names.push_back(row->what.algorithm);
  for (const std::string& name : names) {
    const auto all = algorithms();
    const auto known = std::ranges::find_if(all, [&](const AlgorithmInfo& one) { return one.name == name; });
    if (known == all.end()) continue;
    std::vector<std::pair<Sets, std::vector<const Measurement*>>> groups;
    for (const Measurement* row : report.measured()) {
      if (row->what.algorithm != name) continue;
      const Sets sets = sets_of(*known, *row);
      const auto group = std::ranges::find(groups, sets, [](const auto& one) { return one.first; });
      (group == groups.end() ? groups.emplace_back(sets, std::vector<const Measurement*>{}) : *group)
          .second.push_back(row);
    }
    if (const auto sweep = groups.size() > 1 ? swept(*known, groups) : std::nullopt) {
      Sets common = groups.front().first;
      std::erase_if(common, [&](const auto& set) { return set.first == sweep->first; });
      std::vector<const Measurement*> rows;
      for (const auto& group : groups)
        rows.insert(rows.end(), group.second.begin(), group.second.end());
      commands.push_back(command_for(*known, common, rows) + " --sweep " + quoted(sweep->first + "=" + sweep->second));
      continue;
    }
    for (const auto& [sets, rows] : groups)
      commands.push_back(command_for(*known, sets, rows));
  }
  return commands;
}

std::vector<Chart> charts_of(const std::vector<Report>& reports) {
  std::vector<Report> suites;
  LabReports others;
  for (const Report& report : reports)
    (report.suite_definition ? suites : others).push_back(report);
  std::vector<Chart> charts = charts_of_rows(others);
  for (const SuiteReports& drawn : by_suite(std::move(suites), true)) {
    ChartPage page = make_charts(drawn);
    for (Chart& chart : page.charts) {
      for (ChartLine& line : chart.lines)
        line.rows.clear();
      charts.push_back(std::move(chart));
    }
  }
  return charts;
}

Document report_document(ReportParts parts) {
  const std::string measured = algorithms_of(parts.reports);
  Document document{.title = parts.title.empty() ? (measured.empty() ? "Report" : "Report: " + measured) : parts.title,
                    .summary = summary_of(parts)};
  std::vector<DocumentBlock>& blocks = document.blocks;
  if (!parts.facts.empty()) blocks.emplace_back(DocumentList{parts.facts});
  if (!parts.pictures.empty()) blocks.emplace_back(DocumentHeading{"Pictures"});
  for (DocumentPicture& picture : parts.pictures)
    blocks.emplace_back(std::move(picture));
  for (DocumentTable& table : parts.tables)
    blocks.emplace_back(std::move(table));
  LabReports rows = parts.reports;
  for (Report& report : rows)
    std::erase_if(report.rows, [](const Measurement& row) { return !row.skipped.empty(); });
  if (const std::vector<Chart> charts = charts_of(parts.reports); !charts.empty()) {
    blocks.emplace_back(DocumentHeading{"Plots"});
    for (const Chart& chart : charts)
      blocks.emplace_back(DocumentChart{chart, caption_of(chart)});
  }
  if (const std::vector<std::string> sentences = findings(rows); !sentences.empty()) {
    blocks.emplace_back(DocumentHeading{"What limits it"});
    blocks.emplace_back(DocumentList{sentences});
  }
  if (auto table = winner_table(rows); table.size() > 1)
    blocks.emplace_back(
        DocumentTable{std::move(table),
                      "The fastest backend, and how many times longer the next takes: the ratio of the medians in "
                      "the tables below. The median of the ratios of all pairs of runs stands beside "
                      "it where the two differ by more than a tenth: the times then have several "
                      "values, as where other programs run, and neither holds for all runs."});
  for (const Report& report : rows)
    add_speedups(report, blocks);
  add_comparison(parts.reports, blocks);
  std::vector<std::string> commands = std::move(parts.commands);
  for (const Report& report : parts.reports) {
    std::ranges::copy(bench_commands(report), std::back_inserter(commands));
    if (report.measured().empty()) continue;
    blocks.emplace_back(DocumentHeading{"Measurements" + (parts.reports.size() > 1 ? ": " + report.name : "")});
    const std::string date = date_of(report.environment);
    blocks.emplace_back(DocumentTable{report_cells(report).rows, "Medians, measured on " + report.machine() +
                                                                     (date.empty() ? "." : ", " + date + ".")});
    blocks.emplace_back(DocumentList{lines_of_text(report_notes(report))});
  }
  std::vector<std::vector<std::vector<std::string>>> machines;
  for (const Report& report : parts.reports)
    if (auto table = machine_table(report.environment); std::ranges::find(machines, table) == machines.end())
      machines.push_back(std::move(table));
  if (!machines.empty()) blocks.emplace_back(DocumentHeading{machines.size() > 1 ? "Machines" : "Machine"});
  for (auto& table : machines)
    blocks.emplace_back(DocumentTable{std::move(table), "The machine and the program that measured."});
  if (!commands.empty()) {
    blocks.emplace_back(DocumentHeading{"To repeat it"});
    blocks.emplace_back(DocumentCommands{joined(commands, "\n")});
  }
  return document;
}

}  // namespace threadscape::app
