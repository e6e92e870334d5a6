#include "app/bench/suite_charts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "app/analysis/samples.h"
#include "app/analysis/transfer_model.h"
#include "app/measure/chart_text.h"
#include "app/report/text.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// A position on the x axis: its text, and the value by which positions are ordered.
struct Position {
  std::string text;
  double value = 0;
};

double number_in(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// The library in the name of a peer: "OpenCV" of "OpenCV filter2D", "std::sort" of "std::sort(par_unseq)".
std::string library_of(const std::string& peer) {
  return peer.substr(0, peer.find_first_of(" ("));
}

/// A row of a report, with the figures that charts draw.
struct MeasuredPoint {
  MeasuredPoint(const Report& of, const Measurement& measured)
      : report(&of), row(&measured), machine(of.machine_of(measured.where.backend)) {
    if (!measured.samples.compute.empty()) median = median_interval(measured.samples.compute);
  }
  const Report* report;
  const Measurement* row;
  std::string machine;
  MedianInterval median = {};

  /// The time of the computation, or with the allocation and the transfers that the report has. A run on the CPU has no
  /// transfers.
  [[nodiscard]] double time(bool with_transfers) const {
    const Samples& samples = row->samples;
    return median.median +
           (with_transfers ? median_of(samples.allocation) + median_of(samples.upload) + median_of(samples.download)
                           : 0.0);
  }
  /// Returns true if the report has the transfers of this run, and for every run on the CPU, which has none.
  [[nodiscard]] bool knows_transfers() const {
    return row->where.backend != Backend::cuda || !row->samples.download.empty();
  }
};

/// Makes the chart of one plot.
class ChartMaker {
 public:
  ChartMaker(const Suite& suite, const SuitePlot& plot, const std::vector<MeasuredPoint>& all, bool name_machines)
      : suite_(suite), plot_(plot), all_(all), name_machines_(name_machines) {}

  Chart make() {
    chart_.title = plot_.title;
    chart_.style = plot_.bars ? ChartStyle::bars : ChartStyle::lines;
    if (plot_.y == PlotY::speedup) chart_.unit = "x";
    choose_axis();
    chart_.log_x = plot_.log_x && chart_.categories.empty();
    chart_.log_y = plot_.log_y;
    for (const auto& [measured, tag] : points()) {
      if (plot_.transfers != PlotTransfers::with) place(*measured, *tag, false);
      if (plot_.transfers == PlotTransfers::with ||
          (plot_.transfers == PlotTransfers::beside && measured->row->where.backend == Backend::cuda))
        place(*measured, *tag, true);
    }
    label_axes();
    if (plot_.x != "threads") drop_references();
    if (plot_.fit) add_models();
    add_documents();
    for (ChartLine& line : chart_.lines)
      sort_points(line);
    write_notes();
    if (plot_.x == "threads" && !plot_.bars && !plot_.over.empty() && !plot_.over_all_threads) add_ideal();
    return std::move(chart_);
  }

 private:
  /// A measured or skipped result and one of the lines that it belongs to. A result that belongs to several lines gives
  /// a point for each.
  struct Point {
    const MeasuredPoint* measured;
    const SeriesTag* tag;
  };

  /// The points of all groups that the plot draws.
  std::vector<Point> points() const {
    std::vector<Point> found;
    for (const MeasuredPoint& measured : all_)
      for (const SeriesTag& tag : measured.row->series) {
        const bool known = std::ranges::find(suite_.groups, tag.group, &SuiteGroup::name) != suite_.groups.end();
        if (draws(plot_, tag.group) && known) found.push_back({&measured, &tag});
      }
    return found;
  }

  void label_axes() {
    static const std::map<std::string, std::string> titles{
        {"case", ""}, {"size", "picture, pixels"}, {"pixels", "megapixels"}};
    const auto title = titles.find(plot_.x);
    chart_.x_label = title != titles.end() ? title->second : plot_.x.substr(plot_.x.find('.') + 1);
    if (!plot_.x_label.empty()) chart_.x_label = plot_.x_label;
    const std::string over = reference_text();
    switch (plot_.y) {
      case PlotY::milliseconds:
        chart_.y_label = "milliseconds, median";
        break;
      case PlotY::speedup:
        chart_.y_label = over.empty() ? "speed-up, times" : "speed-up over " + over + ", times";
        break;
      case PlotY::efficiency:
        chart_.y_label =
            over.empty() ? "efficiency, speed-up / threads" : "efficiency, speed-up over " + over + " / threads";
        break;
      case PlotY::gigabytes:
        chart_.y_label = states_bytes() ? "GB/s" : "GB/s, input read and output written once";
        break;
      case PlotY::operations:
        chart_.y_label = "1e9 operations per second";
        break;
      case PlotY::figure:
        chart_.y_label = plot_.figure->csv;
        break;
    }
    if (plot_.transfers == PlotTransfers::with) chart_.y_label += ", with transfers";
  }

  /// What all speed-ups of the chart refer to: "serial on one thread". The variant is named if it is the same for all
  /// of them. "" if nothing was placed, or if they refer to different backends or numbers of threads.
  std::string reference_text() const {
    std::set<std::string> backends, variants;
    for (const MeasuredPoint* base : references_) {
      const Target& where = base->row->where;
      std::string text(name_of(where.backend));
      if (where.backend != Backend::cuda)
        text += where.threads == 1 ? " on one thread" : " on " + std::to_string(where.threads) + " threads";
      backends.insert(text);
      variants.insert(where.variant);
    }
    if (backends.size() != 1) return {};
    if (variants.size() != 1 || *variants.begin() == "default") return *backends.begin();
    return *backends.begin() + " (" + *variants.begin() + ")";
  }

  /// Returns true if an algorithm of the plot states the bytes of its runs itself.
  bool states_bytes() const {
    return std::ranges::any_of(suite_.groups, [&](const SuiteGroup& group) {
      return draws(plot_, group.name) && group.algorithm != nullptr && group.algorithm->traffic.bytes != nullptr;
    });
  }

  /// The position of a point on the x axis. On an axis of cases all values are equal, so that sorting keeps the order
  /// of the suite.
  Position position(const MeasuredPoint& measured, const SeriesTag& tag) const {
    const std::string text = fact_text(plot_.x, *measured.row, tag.case_label);
    if (plot_.x == "case") return {text, 0.0};
    return {text, plot_.x == "size" ? measured.row->what.items() : number_in(text)};
  }

  /// Makes the x axis one of categories if positions are texts, or if the chart has bars.
  void choose_axis() {
    std::vector<Position> positions;
    const auto add = [&](const Position& added) {
      if (std::ranges::find(positions, added.text, &Position::text) == positions.end()) positions.push_back(added);
    };
    for (const auto& [measured, tag] : points())
      add(position(*measured, *tag));
    for (const DocumentLine& line : plot_.documents)
      for (const auto& [text, y] : line.points)
        add({text, is_number(text)     ? number_in(text)
                   : plot_.x == "size" ? number_in(text) * number_in(text.substr(text.find('x') + 1))
                                       : 0.0});
    const bool texts = std::ranges::any_of(positions, [](const Position& p) { return !is_number(p.text); });
    if (!texts && !plot_.bars) return;
    std::ranges::stable_sort(positions, {}, &Position::value);
    for (const Position& p : positions)
      chart_.categories.push_back(p.text);
  }

  /// The x coordinate of a position: the index of its category, or its value if the axis has no categories.
  double coordinate(const Position& at) const {
    if (chart_.categories.empty()) return at.value;
    return static_cast<double>(std::ranges::find(chart_.categories, at.text) - chart_.categories.begin());
  }

  /// The result that the speed-up of `of` refers to, preferably from the same report; null if it was not measured. It
  /// has one thread, or the most threads if the plot says so.
  const MeasuredPoint* reference(const MeasuredPoint& of, const SeriesTag& tag) const {
    const std::string label = expand(plot_.over, *of.row, tag.case_label);
    const MeasuredPoint* found = nullptr;
    for (const MeasuredPoint& other : all_) {
      const bool fits =
          other.row->skipped.empty() && other.row->where.peer.empty() &&
          (plot_.over_all_threads || other.row->where.threads == 1) && other.row->what == of.row->what &&
          std::ranges::any_of(other.row->series, [&](const SeriesTag& candidate) { return candidate.label == label; });
      const auto rank = [&](const MeasuredPoint& point) {
        return std::tuple(point.report == of.report, point.row->where.threads);
      };
      if (fits && (found == nullptr || rank(other) > rank(*found))) found = &other;
    }
    return found;
  }

  /// The label of the line that a point belongs to, without the machine. Peers have lines of their own.
  std::string label_of(const MeasuredPoint& measured, const SeriesTag& tag, bool with_transfers) const {
    const bool told_apart =
        plot_.transfers == PlotTransfers::beside && with_transfers && measured.row->where.backend == Backend::cuda;
    const std::string& peer = measured.row->where.peer;
    const std::string label = peer.empty() ? tag.label : tag.label + ", " + library_of(peer);
    return told_apart ? label + ", with transfers" : label;
  }

  /// Returns the line that a point belongs to, and adds it to the chart if it is new.
  ChartLine& line_of(const MeasuredPoint& measured, const std::string& series) {
    std::string label = series;
    if (name_machines_ && measured.row->skipped.empty()) label += ", " + measured.machine;
    const auto found = std::ranges::find(chart_.lines, label, &ChartLine::label);
    if (found != chart_.lines.end()) return *found;
    return chart_.lines.emplace_back(ChartLine{
        .label = label, .series = series, .backend = measured.row->where.backend, .x = {}, .y = {}, .absent = ""});
  }

  /// Records that a point is missing and why, so that write_notes() can state it.
  void leave_out(const MeasuredPoint& measured, const std::string& series, const Position& at, const std::string& why) {
    auto& places = left_out_[{series, why}];
    if (std::ranges::find(places, at.text) == places.end()) places.push_back(at.text);
    (void)line_of(measured, series);
  }

  /// Adds a point to its line, with the time of the computation or with transfers.
  void place(const MeasuredPoint& measured, const SeriesTag& tag, bool with_transfers) {
    const Position at = position(measured, tag);
    const std::string series = label_of(measured, tag, with_transfers);
    if (!measured.row->skipped.empty()) return leave_out(measured, series, at, measured.row->skipped);
    if (with_transfers && !measured.knows_transfers())
      return leave_out(measured, series, at, "the report has no transfers");
    if (plot_.y == PlotY::figure) {
      const auto figure = figure_of(*plot_.figure, *measured.report, *measured.row);
      if (!figure) return leave_out(measured, series, at, "the report does not state it");
      (void)set_point(line_of(measured, series), coordinate(at), *figure);
      return;
    }
    const double time = measured.time(with_transfers);
    double work = 0.0;  // What is done in `time`, for quantities that are work per time; a time itself has none.
    if (plot_.y == PlotY::gigabytes) work = measured.row->counts.bytes / 1e6;
    if (plot_.y == PlotY::operations) {
      if (measured.row->counts.operations <= 0.0)
        return leave_out(measured, series, at, "the algorithm states no operations");
      work = measured.row->counts.operations / 1e6;
    }
    if (!plot_.over.empty()) {
      const MeasuredPoint* base = reference(measured, tag);
      if (base == nullptr)
        return leave_out(measured, series, at,
                         "'" + expand(plot_.over, *measured.row, tag.case_label) + "' was not measured" +
                             (plot_.over_all_threads ? "" : " on one thread"));
      work = base->time(with_transfers);
      if (plot_.y == PlotY::efficiency) work /= measured.row->where.threads;
      references_.insert(base);
      if (base != &measured) own_reference_only_[line_of(measured, series).label] = false;
      if (name_machines_ && base->machine != measured.machine) bases_.insert({measured.machine, base->machine});
    }
    ChartLine& line = line_of(measured, series);
    own_reference_only_.try_emplace(line.label, !plot_.over.empty());
    const double x = coordinate(at);
    const auto value = [work](double milliseconds) { return work > 0.0 ? work / milliseconds : milliseconds; };
    const auto [median, interval, reached] = measured.median;
    const double low = value(time + interval.low - median), high = value(time + interval.high - median);
    const std::size_t point = set_point(line, x, value(time));
    for (auto* values : {&line.low, &line.high})
      values->resize(line.x.size());
    line.count.resize(line.x.size());
    std::tie(line.low[point], line.high[point]) = std::minmax(low, high);
    line.count[point] = measured.row->samples.compute.size();
    sizes_[{line.label, x}] = measured.row->counts.bytes;
  }

  /// Adds a point to a line, and returns its place. If one was measured twice, the later report counts.
  static std::size_t set_point(ChartLine& line, double x, double y) {
    const auto place = static_cast<std::size_t>(std::ranges::find(line.x, x) - line.x.begin());
    if (place == line.x.size()) line.x.push_back(x);
    line.y.resize(line.x.size());
    line.y[place] = y;
    return place;
  }

  /// Fits latency and bandwidth to every line, and adds the times that they predict for its sizes.
  void add_models() {
    const std::size_t measured = chart_.lines.size();
    for (std::size_t i = 0; i < measured; ++i) {
      const ChartLine line = chart_.lines[i];
      std::vector<TransferPoint> points;
      for (std::size_t k = 0; k < line.x.size(); ++k)
        points.push_back({.bytes = sizes_.at({line.label, line.x[k]}), .milliseconds = line.y[k]});
      const auto model = fit_transfer(points);
      if (!model) continue;
      ChartLine predicted{.label = line.label + " (model: " + to_text(*model) + ")",
                          .series = line.series,
                          .x = line.x,
                          .stated = true};
      for (const TransferPoint& point : points)
        predicted.y.push_back(model->milliseconds(point.bytes));
      chart_.lines.push_back(std::move(predicted));
      chart_.notes.push_back(line.label + ": " + to_text(*model) + " differs from the measured times by at most " +
                             format_number(100.0 * model->max_error, 2) + " %; half of the bandwidth is reached at " +
                             format_bytes(static_cast<std::size_t>(model->half_size())) + ".");
    }
  }

  /// Removes lines that consist of references only: their speed-up is 1 everywhere.
  void drop_references() {
    std::erase_if(chart_.lines, [&](const ChartLine& line) {
      const auto found = own_reference_only_.find(line.label);
      return found != own_reference_only_.end() && found->second && !line.x.empty();
    });
  }

  void add_documents() {
    for (const DocumentLine& document : plot_.documents) {
      ChartLine line{.label = document.label + " (document)", .series = document.label, .stated = true};
      for (const auto& [text, y] : document.points) {
        line.x.push_back(coordinate({text, number_in(text)}));
        line.y.push_back(y);
      }
      chart_.lines.push_back(std::move(line));
    }
  }

  /// Adds what perfect scaling would give: a speed-up by the number of threads, or an efficiency of 1.
  void add_ideal() {
    double most = 1.0;
    for (const ChartLine& line : chart_.lines)
      for (const double threads : line.x)
        most = std::max(most, threads);
    if (most <= 1.0) return;
    ChartLine ideal{.label = "ideal", .x = {1.0, (1.0 + most) / 2, most}, .y = {1.0, 1.0, 1.0}};
    if (plot_.y == PlotY::speedup) ideal.y = ideal.x;
    chart_.guides.push_back(std::move(ideal));
  }

  static void sort_points(ChartLine& line) {
    std::vector<std::size_t> order(line.x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return line.x[i]; });
    const auto sorted = [&order](auto& values) {
      if (values.empty()) return;
      const auto before = values;
      for (std::size_t i = 0; i < order.size(); ++i)
        values[i] = before[order[i]];
    };
    sorted(line.x);
    sorted(line.y);
    sorted(line.low);
    sorted(line.high);
    sorted(line.count);
  }

  /// Writes the reason into lines without any points, and gathers other missing points by reason into notes.
  void write_notes() {
    std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> gathered;
    for (const auto& [key, places] : left_out_) {
      const std::string &label = key.first, &why = key.second;
      const auto of_label = [&](const ChartLine& line) { return line.series == label && !line.stated; };
      const bool any =
          std::ranges::any_of(chart_.lines, [&](const ChartLine& line) { return of_label(line) && !line.x.empty(); });
      if (any) {
        gathered[{why, places}].push_back(label);
      } else if (const auto line = std::ranges::find_if(chart_.lines, of_label); line != chart_.lines.end()) {
        line->absent = why;
      }
    }
    // A line without points and without a reason is that of a machine that skipped the series; other machines measured
    // it.
    std::erase_if(chart_.lines, [](const ChartLine& line) { return line.x.empty() && line.absent.empty(); });
    if (name_machines_) std::erase_if(gathered, [&](const auto& entry) { return measured_somewhere(entry); });
    std::set<std::string> series;
    for (const ChartLine& line : chart_.lines)
      if (!line.stated) series.insert(line.series);
    for (const auto& [key, labels] : gathered) {
      const auto& [why, places] = key;
      const bool all = labels.size() > 1 && labels.size() == series.size();
      chart_.notes.push_back("Left out" + (all ? "" : ": " + joined(labels, "; ")) + " at " + joined(places, ", ") +
                             (plot_.x == "threads" ? " threads" : "") + ": " + why + ".");
    }
    for (const auto& [machine, base] : bases_)
      chart_.notes.push_back("Speed-ups of " + machine + " refer to " + base + ".");
  }

  /// Returns true if the report of some machine contains all points that this note calls missing.
  template <class Entry>
  bool measured_somewhere(const Entry& entry) const {
    return std::ranges::all_of(entry.second, [&](const std::string& label) {
      return std::ranges::all_of(entry.first.second, [&](const std::string& place) {
        return std::ranges::any_of(points(), [&](const Point& point) {
          return point.measured->row->skipped.empty() &&
                 (label == point.tag->label || label == label_of(*point.measured, *point.tag, true)) &&
                 position(*point.measured, *point.tag).text == place;
        });
      });
    });
  }

  const Suite& suite_;
  const SuitePlot& plot_;
  const std::vector<MeasuredPoint>& all_;
  const bool name_machines_;
  Chart chart_;
  /// Positions of the missing points, by label of the line and reason.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> left_out_;
  /// The bytes of a point of a line, by the label of the line and its position.
  std::map<std::pair<std::string, double>, double> sizes_;
  /// For each label of a line, whether all its points are their own reference.
  std::map<std::string, bool> own_reference_only_;
  /// Pairs of different machines: the one where a point was measured, and the one where its reference was.
  std::set<std::pair<std::string, std::string>> bases_;
  /// The results that speed-ups refer to.
  std::set<const MeasuredPoint*> references_;
};

}  // namespace

std::vector<SuiteReports> by_suite(std::vector<Report> reports, bool as_reported) {
  std::vector<SuiteReports> suites;
  for (Report& report : reports) {
    auto same = std::ranges::find(suites, report.suite, [](const SuiteReports& known) { return known.suite.name; });
    if (same == suites.end()) {
      Suite suite = as_reported ? make_reported_suite(*report.suite_definition, report.suite, report.name + ": suite")
                                : load_suite(report.suite);
      same = suites.insert(suites.end(), {.suite = std::move(suite), .reports = {}});
    }
    same->reports.push_back(std::move(report));
  }
  return suites;
}

ChartPage make_charts(const SuiteReports& drawn) {
  const auto& [suite, reports] = drawn;
  std::vector<MeasuredPoint> all;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows)
      all.emplace_back(report, row);
  ChartPage page{.title = suite.title, .source = suite.source, .note = suite.note, .machines = {}, .charts = {}};
  for (const MeasuredPoint& measured : all)
    if (measured.row->skipped.empty() && std::ranges::find(page.machines, measured.machine) == page.machines.end())
      page.machines.push_back(measured.machine);
  for (const SuitePlot& plot : suite.plots)
    page.charts.push_back(ChartMaker(suite, plot, all, reports.size() > 1).make());
  return page;
}

}  // namespace threadscape::app
