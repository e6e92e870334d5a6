#include "app/measure/plot_data.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "app/analysis/rank_test.h"
#include "app/analysis/samples.h"
#include "app/analysis/verdict.h"
#include "app/measure/plot_lines.h"
#include "app/measure/speedup_parts.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// The parameters of a row as text, without those named in `except` and those too long for a label.
std::string label_params(const Measurement& row, const std::set<std::string>& except) {
  std::string text;
  for (const Parameter& param : row.what.params)
    if (!except.contains(param.name) && !param.short_text().empty())
      text += " " + param.name + "=" + std::string(param.short_text());
  return text;
}

/// Words of `text` that are not in all of `others`, for labels that only say what differs.
std::string differing_words(const std::string& text, const std::vector<std::string>& others) {
  std::string kept;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool shared = std::ranges::all_of(
        others, [&](const std::string& other) { return (other + " ").find(word + " ") != std::string::npos; });
    if (!shared) kept += word;
    begin = end;
  }
  return kept;
}

void add_median(ChartLine& line, double x, const Measurement& row) {
  const MedianInterval median = median_interval(row.samples.compute);
  line.x.push_back(x);
  line.y.push_back(median.median);
  line.low.push_back(median.interval.low);
  line.high.push_back(median.interval.high);
  line.count.push_back(row.samples.compute.size());
  line.rows.push_back(&row);
}

/// Medians or figures over a position on the x axis. Rows without a position or without the figure are left out.
Chart times_by(const LabReports& reports, const std::set<std::string>& except, const Column* figure,
               const std::function<double(const Measurement&)>& position) {
  Chart plot{.title = figure == nullptr ? "Time" : std::string(figure->csv),
             .y_label = figure == nullptr ? "ms" : std::string(figure->csv)};
  const Lines lines = lines_of(reports, false, except);
  const auto labels = labels_of(lines, reports);
  for (const auto& [key, rows] : lines) {
    ChartLine line{.label = labels.at(key), .backend = key.backend};
    if (!key.peer) line.work = std::to_string(key.report) + key.algorithm + key.params + " " + key.numbers;
    std::vector<const Measurement*> sorted = rows;
    std::erase_if(sorted, [&](const Measurement* row) { return !std::isfinite(position(*row)); });
    std::ranges::stable_sort(sorted, {}, [&](const Measurement* row) { return position(*row); });
    for (const Measurement* row : sorted) {
      if (figure == nullptr) {
        add_median(line, position(*row), *row);
      } else if (const auto value = figure_of(*figure, reports[key.report], *row)) {
        line.x.push_back(position(*row));
        line.y.push_back(*value);
        line.rows.push_back(row);
      }
    }
    if (!line.x.empty()) plot.lines.push_back(std::move(line));
  }
  const bool measured = std::ranges::any_of(reports, [](const Report& report) { return !report.rows.empty(); });
  if (plot.lines.empty() && figure != nullptr && measured)
    plot.notes.push_back("No row here has a value in the column " + std::string(figure->csv) + ".");
  return plot;
}

/// Says what has to vary for a plot that is empty although there are results.
void say_what_fits(Chart& plot, const LabReports& reports, std::string_view vary) {
  const bool some = std::ranges::any_of(reports, [](const Report& report) { return !report.rows.empty(); });
  if (some && plot.notes.empty())
    plot.notes.push_back("No results here vary in " + std::string(vary) + ": let that vary and press Run, or open a " +
                         "report with such results.");
}

/// Names of parameters that follow from the size of the input, such as the length of a sequence or the depth of a
/// subdivision: every value belongs to one size, and there are several of both.
std::set<std::string> size_parameters(const LabReports& reports) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::set<double>>> sizes;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows)
      for (const Parameter& param : row.what.params)
        sizes[{row.what.algorithm, param.name}][param.json].insert(row.what.items());
  std::set<std::string> names{"count"};
  for (const auto& [place, of_value] : sizes) {
    std::set<double> all;
    for (const auto& [value, own] : of_value)
      all.insert(own.begin(), own.end());
    const bool one_each = std::ranges::all_of(of_value, [](const auto& own) { return own.second.size() == 1; });
    if (one_each && of_value.size() > 1 && all.size() == of_value.size()) names.insert(place.second);
  }
  return names;
}

/// Returns true if the samples of a line say that it is faster than another one at the first place from `x` on that
/// both have.
bool is_faster_from(const ChartLine& line, const ChartLine& other, double x) {
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(other.x, line.x[i]) - other.x.begin());
    if (line.x[i] < x || at == other.x.size()) continue;
    const RowSamples samples{.before = other.rows[at]->samples.compute, .after = line.rows[i]->samples.compute};
    return compare_rows({&samples, 1}, {}).front().verdict == Verdict::faster;
  }
  return false;
}

/// Marks where lines of different backends cross that show the same work. A mark is UNCLEAR if the samples do not say
/// that the lower line is the faster one.
void mark_cross_overs(Chart& plot) {
  for (std::size_t i = 0; i < plot.lines.size(); ++i)
    for (std::size_t j = i + 1; j < plot.lines.size(); ++j) {
      const ChartLine &a = plot.lines[i], &b = plot.lines[j];
      if (a.backend == b.backend || a.work != b.work || a.work.empty()) continue;
      for (const CrossOver& place : cross_overs({a.x, a.y}, {b.x, b.y})) {
        const ChartLine &winner = place.first_is_lower_beyond ? a : b, &other = place.first_is_lower_beyond ? b : a;
        plot.marks.push_back({place.x, place.y,
                              std::string(name_of(*winner.backend)) + " wins from " + format_number(place.x, 3) +
                                  (is_faster_from(winner, other, place.x) ? "" : ": UNCLEAR")});
      }
    }
}

/// The values of a parameter in the order of the rows, if some are no numbers; otherwise empty.
std::vector<std::string> categories_of(const LabReports& reports, const std::string& parameter) {
  std::vector<std::string> names;
  bool numbers = true;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows) {
      const Parameter* const found = row.what.find(parameter);
      if (found == nullptr) continue;
      numbers = numbers && found->number();
      if (std::ranges::find(names, found->text) == names.end()) names.push_back(found->text);
    }
  return numbers ? std::vector<std::string>{} : names;
}

/// The rows of one work on different numbers of threads, ascending. The serial backend counts as no number of threads,
/// because its code differs.
std::vector<const Measurement*> by_threads(std::vector<const Measurement*> rows) {
  std::erase_if(rows, [](const Measurement* row) { return row->where.backend != Backend::openmp; });
  std::ranges::stable_sort(rows, {}, [](const Measurement* row) { return row->where.threads; });
  return rows;
}

std::vector<ThreadPoint> thread_points(const std::vector<const Measurement*>& rows) {
  std::vector<ThreadPoint> points;
  for (const Measurement* row : rows)
    points.push_back({.threads = static_cast<double>(row->where.threads),
                      .milliseconds = median_interval(row->samples.compute).median,
                      .items = row->what.items(),
                      .samples = row->samples.compute});
  return points;
}

/// A curve from 1 to `most` threads.
ChartLine curve(const std::string& label, double most, const std::function<double(double)>& value) {
  ChartLine line{.label = label};
  constexpr int steps = 60;
  for (int i = 0; i <= steps; ++i) {
    const double threads = std::pow(most, static_cast<double>(i) / steps);
    line.x.push_back(threads);
    line.y.push_back(value(threads));
  }
  return line;
}

std::string fraction_text(double fraction, const Interval& interval) {
  return format_number(fraction * 100.0, 3) + " % (95 %: " + format_number(interval.low * 100.0, 3) + " .. " +
         format_number(interval.high * 100.0, 3) + " %)";
}

/// Rows on threads in lines in which only the number of threads differs; `same_size` also tells sizes apart.
Lines scaling_lines(const LabReports& reports, bool same_size) {
  Lines lines;
  for (auto& [key, rows] : lines_of(reports, true, {"count"})) {
    std::map<double, std::vector<const Measurement*>> sizes;
    for (const Measurement* row : by_threads(rows))
      sizes[same_size ? row->what.items() : 0.0].push_back(row);
    for (auto& [size, of_size] : sizes) {
      LineKey own = key;
      if (sizes.size() > 1) own.params += " size=" + of_size.front()->what.size_text();
      if (of_size.size() > 1) lines[own] = of_size;
    }
  }
  return lines;
}

}  // namespace

Lines lines_of(const LabReports& reports, bool by_threads, const std::set<std::string>& except) {
  Lines lines;
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (const Measurement& row : reports[i].rows) {
      LineKey key{.report = i,
                  .algorithm = row.what.algorithm,
                  .params = label_params(row, except),
                  .variant = row.where.peer.empty() ? row.where.variant : row.where.peer,
                  .numbers = numbers_of(row.what),
                  .backend = row.where.backend,
                  .threads = by_threads ? 0 : row.where.threads,
                  .cold = row.samples.caches == "cold" && row.where.backend != Backend::cuda,
                  .peer = !row.where.peer.empty()};
      lines[key].push_back(&row);
    }
  return lines;
}

std::map<LineKey, std::string> labels_of(const Lines& lines, const LabReports& reports) {
  std::set<std::string> algorithms, variants;
  std::set<int> threads;
  std::set<std::size_t> files;
  std::map<std::string, std::vector<std::string>> params;
  std::map<std::string, std::set<std::string>> numbers;
  for (const auto& [key, rows] : lines) {
    algorithms.insert(key.algorithm);
    if (!key.peer) variants.insert(key.variant);
    files.insert(key.report);
    params[key.algorithm].push_back(key.params);
    numbers[key.algorithm].insert(key.numbers);
    if (key.backend == Backend::openmp) threads.insert(key.threads);
  }
  std::map<LineKey, std::string> labels;
  for (const auto& [key, rows] : lines) {
    std::string label = algorithms.size() > 1 ? key.algorithm + " " : "";
    label += key.peer ? key.variant : std::string(name_of(key.backend));
    if (key.backend == Backend::openmp && threads.size() > 1) label += " " + std::to_string(key.threads);
    if (!key.peer && variants.size() > 1 && key.variant != "default") label += " " + key.variant;
    if (numbers[key.algorithm].size() > 1) label += " " + key.numbers;
    label += differing_words(key.params, params[key.algorithm]);
    if (key.cold) label += " cold";
    if (files.size() > 1) label += ", " + reports[key.report].name;
    labels[key] = label;
  }
  return labels;
}

Chart times_by_size(const LabReports& reports, const Column* figure) {
  Chart plot =
      times_by(reports, size_parameters(reports), figure, [](const Measurement& row) { return row.what.items(); });
  plot.x_label = "pixels, voxels or values";
  plot.log_x = plot.log_y = true;
  if (figure == nullptr) mark_cross_overs(plot);
  return plot;
}

Chart times_by_parameter(const LabReports& reports, const std::string& parameter, const Column* figure) {
  const std::vector<std::string> categories = categories_of(reports, parameter);
  Chart plot = times_by(reports, {parameter}, figure, [&](const Measurement& row) {
    const Parameter* const value = row.what.find(parameter);
    if (value == nullptr) return std::nan("");
    if (categories.empty()) return value->number().value_or(std::nan(""));
    return static_cast<double>(std::ranges::find(categories, value->text) - categories.begin());
  });
  plot.x_label = parameter;
  plot.categories = categories;
  return plot;
}

Chart speed_ups(const LabReports& reports, bool efficiency) {
  Chart plot{.title = efficiency ? "Efficiency" : "Speed-up",
             .x_label = "threads",
             .y_label = efficiency ? "speed-up / threads" : "times"};
  const Lines lines = scaling_lines(reports, true);
  const auto labels = labels_of(lines, reports);
  double most = 1.0;
  for (const auto& [key, rows] : lines) {
    const std::vector<ThreadPoint> points = thread_points(rows);
    if (points.front().threads != 1.0) {
      plot.notes.push_back(labels.at(key) + " has no time on one thread to refer to.");
      continue;
    }
    ChartLine line{.label = labels.at(key), .backend = key.backend, .rows = rows};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RatioEstimate ratio = ratio_of_times(rows[i]->samples.compute, rows.front()->samples.compute, 0.95);
      const double share = efficiency ? 1.0 / points[i].threads : 1.0;
      line.x.push_back(points[i].threads);
      line.y.push_back(points.front().milliseconds / points[i].milliseconds * share);
      line.low.push_back(std::min(ratio.interval.low * share, line.y.back()));
      line.high.push_back(std::isfinite(ratio.interval.high) ? std::max(ratio.interval.high * share, line.y.back())
                                                             : line.y.back());
      line.count.push_back(rows[i]->samples.compute.size());
      most = std::max(most, points[i].threads);
    }
    if (const auto fit = fit_amdahl(points)) {
      plot.guides.push_back(curve("Amdahl, " + line.label, points.back().threads, [&](double threads) {
        return points.front().milliseconds / fit->milliseconds(threads) / (efficiency ? threads : 1.0);
      }));
      plot.notes.push_back(line.label + ": serial fraction " + fraction_text(fit->serial_fraction, fit->interval) +
                           " after Amdahl.");
    }
    plot.lines.push_back(std::move(line));
  }
  // The lines refer to one thread of the same variant; over serial there is more than threads.
  for (const Report& report : reports)
    for (const SpeedupParts& parts : speedup_parts(report))
      if (parts.whole->where.threads == static_cast<int>(most)) plot.notes.push_back(speedup_sentence(parts));
  if (plot.lines.empty())
    say_what_fits(plot, reports, "threads");
  else
    plot.guides.push_back(curve("ideal", most, [&](double threads) { return efficiency ? 1.0 : threads; }));
  return plot;
}

Chart weak_scaling(const LabReports& reports) {
  Chart plot{.title = "Weak scaling", .x_label = "threads, with the input growing alike", .y_label = "times"};
  const Lines lines = scaling_lines(reports, false);
  const auto labels = labels_of(lines, reports);
  double most = 1.0;
  for (const auto& [key, rows] : lines) {
    const std::vector<ThreadPoint> points = thread_points(rows);
    const bool grows = std::ranges::adjacent_find(points, [](const ThreadPoint& a, const ThreadPoint& b) {
                         return b.items <= a.items;
                       }) == points.end();
    const std::vector<double> values = scaled_speed_ups(points);
    if (!grows || values.empty()) continue;
    ChartLine line{.label = labels.at(key), .backend = key.backend, .y = values, .rows = rows};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const MedianInterval median = median_interval(rows[i]->samples.compute);
      line.x.push_back(points[i].threads);
      line.low.push_back(values[i] * median.median / median.interval.high);
      line.high.push_back(values[i] * median.median / median.interval.low);
      line.count.push_back(rows[i]->samples.compute.size());
    }
    most = std::max(most, points.back().threads);
    if (const auto fit = fit_gustafson(points)) {
      plot.guides.push_back(curve("Gustafson, " + line.label, points.back().threads,
                                  [&](double threads) { return fit->speed_up(threads); }));
      plot.notes.push_back(line.label + ": serial fraction " + fraction_text(fit->serial_fraction, fit->interval) +
                           " after Gustafson.");
    }
    plot.lines.push_back(std::move(line));
  }
  if (plot.lines.empty())
    say_what_fits(plot, reports, "threads and size");
  else
    plot.guides.push_back(curve("ideal", most, [](double threads) { return threads; }));
  return plot;
}

WinMatrix winners(const LabReports& reports) {
  std::vector<Contender> contenders;
  std::map<std::string, std::vector<std::string>> params;
  std::map<std::string, std::set<std::string>> numbers;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows) {
      params[row.what.algorithm].push_back(label_params(row, {"count"}));
      numbers[row.what.algorithm].insert(numbers_of(row.what));
    }
  for (const Report& report : reports)
    for (const Measurement& row : report.rows) {
      if (!row.where.peer.empty()) continue;
      std::string name = row.what.algorithm;
      if (numbers[row.what.algorithm].size() > 1) name += " " + numbers_of(row.what);
      name += differing_words(label_params(row, {"count"}), params[row.what.algorithm]);
      contenders.push_back({name, row.what.items(), row.where.backend, row.samples.compute});
    }
  return win_matrix(contenders);
}

const Measurement* last_row(const LabReports& reports) {
  for (const Report& report : reports) {
    const auto own = std::ranges::find_if(report.rows.rbegin(), report.rows.rend(),
                                          [](const Measurement& row) { return row.where.peer.empty(); });
    if (own != report.rows.rend()) return &*own;
  }
  return nullptr;
}

const Measurement* explained_row(const LabReports& reports, const Chart& chart, const std::vector<bool>& hidden) {
  std::set<const Measurement*> drawn;
  for (std::size_t i = 0; i < chart.lines.size(); ++i)
    if (i >= hidden.size() || !hidden[i]) drawn.insert(chart.lines[i].rows.begin(), chart.lines[i].rows.end());
  for (const Report& report : reports) {
    const auto own = std::ranges::find_if(report.rows.rbegin(), report.rows.rend(), [&](const Measurement& row) {
      return row.where.peer.empty() && drawn.contains(&row);
    });
    if (own != report.rows.rend()) return &*own;
  }
  return nullptr;
}

WhyFacts why_facts(const LabReports& reports, const Measurement& row, int physical_cores) {
  const auto report = std::ranges::find_if(reports, [&row](const Report& one) {
    return std::ranges::any_of(one.rows, [&row](const Measurement& own) { return &own == &row; });
  });
  WhyFacts facts;
  const MedianInterval median = median_interval(row.samples.compute);
  facts.backend = row.where.backend;
  facts.compute_ms = median.median;
  facts.upload_ms = median_of(row.samples.upload);
  facts.download_ms = median_of(row.samples.download);
  facts.of_copy = row.of_copy();
  facts.precision = median.reached ? median.precision() : 0.0;
  facts.missing_runs = min_interval_samples - std::min(min_interval_samples, row.samples.compute.size());
  if (report == reports.end()) return facts;
  if (report == reports.begin()) facts.physical_cores = physical_cores;
  facts.multiprocessors = report->environment.multiprocessors;
  facts.busy_multiprocessors = cuda::busy_multiprocessors(row.counts.kernels, facts.multiprocessors);
  if (row.where.backend != Backend::openmp) return facts;
  std::vector<const Measurement*> same;
  for (const Measurement& other : report->rows)
    if (other.where.peer.empty() && other.what.algorithm == row.what.algorithm &&
        other.what.params == row.what.params && other.what.input == row.what.input &&
        other.where.variant == row.where.variant)
      same.push_back(&other);
  same = by_threads(same);
  facts.scaling = thread_points(same);
  for (const Measurement* other : same)
    facts.other_load = std::max(facts.other_load, other->conditions.other_load.value_or(0.0));
  return facts;
}

}  // namespace threadscape::app
